//! Functions without a body: the ones of which the library's table says what they do, and all others, which are inputs
//! without side effects.
//!
//! What the known ones write is followed as far as it is a small number of cells. Beyond that it is forgotten, with all that
//! is in the same classes of memory: terms then allow more than runs do, and [`FreshCause::Unfollowed`] says so.

use library::{Format, Function, Known, Meaning, Passed, Returns, When};
use logic::{Sort, SymbolInfo, Term};
use program::{Callee, EdgeId, EdgeKind, ExprId, ExprKind, FuncId, PlaceId, PlaceKind};

use crate::block::{Block, Named};
use crate::copy::MAX_CELLS;
use crate::effect::{Effect, Fresh, FreshCause, Updates};
use crate::error::Unsupported;
use crate::storage::{Semantics, Storage};

/// A call of a library function.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    pub edge: EdgeId,
    pub function: FuncId,
    pub result: Option<PlaceId>,
    pub row: &'static Function,
    pub arguments: &'a [ExprId],
}

impl Semantics<'_> {
    /// The effect of a call of a function without a body through a pointer.
    pub(crate) fn outside(&mut self, call: EdgeId, function: FuncId) -> Result<Effect, Unsupported> {
        let program = self.program;
        let EdgeKind::Call {
            callee: Callee::Indirect(pointer),
            result,
            ref arguments,
        } = program.edges[call].kind
        else {
            unreachable!("other calls say which function they call")
        };
        let here = match program.stranger == Some(function) {
            true => self.leads_elsewhere(call)?,
            false => self.leads_to(call, pointer, function)?,
        };
        let mut effect = self.library_call(call, function, result, arguments)?;
        // An error that is reached so is an edge of its own before this one.
        let returns = !program.functions[function].noreturn;
        let returns = self.terms.bool(returns);
        effect.guard = self.terms.all(&[here, returns, effect.guard]);
        Ok(effect)
    }

    pub(crate) fn library_call(
        &mut self,
        edge: EdgeId,
        function: FuncId,
        result: Option<PlaceId>,
        arguments: &[ExprId],
    ) -> Result<Effect, Unsupported> {
        let program = self.program;
        let data = &program.functions[function];
        debug_assert!(
            data.body.is_none(),
            "a function with a body is entered and left ({edge})"
        );
        let known: Known = library::of(&data.name);
        let arguments = known.arguments(arguments);
        let call = Call {
            edge,
            function,
            result,
            row: known.function,
            arguments: &arguments,
        };
        self.require_meaning(call)?;
        if call.row.never_returns() && !call.row.reserved {
            // Where it is called, the run ends.
            let guard = self.terms.bool(false);
            return Ok(self.finish(guard, Updates::default(), Vec::new()));
        }
        if let Some(effect) = self.allocating_call(call) {
            return effect;
        }
        match (&call.row.meaning, call.arguments) {
            (Some(Meaning::Assume), &[condition, ..]) => {
                let guard = self.truth(condition)?;
                Ok(self.finish(guard, Updates::default(), Vec::new()))
            }
            (Some(Meaning::Copy | Meaning::Fill | Meaning::Zero), _) => self.moved(call),
            (&Some(Meaning::Block(question)), _) => self.block_call(question, call.result, call.arguments),
            _ if call.row.returns == Returns::Nothing && call.row.frees() => self.given_back(call),
            _ => self.unfollowed(call),
        }
    }

    /// That the call has a meaning here.
    fn require_meaning(&self, call: Call<'_>) -> Result<(), Unsupported> {
        let row = call.row;
        let refuse = |what: String| Err(Unsupported::new(what));
        if let Some(what) = row.unsupported {
            return refuse(what.to_owned());
        }
        if !row.calls.is_empty() {
            return refuse(format!("the function `{}`", row.name));
        }
        // Whoever weaves the property knows whether what runs at the end matters, and what functions without a body may call.
        if let Some(registers) = &row.registers
            && matches!(registers.when, When::Signal | When::ThreadExit)
            && let Some(&handler) = call.arguments.get(registers.callback.function)
            && !self.is_number(handler)
        {
            return refuse(format!("handlers registered by `{}`", row.name));
        }
        if let Some((at, Format::Scan)) = row.format()
            && let Some(text) = call
                .arguments
                .get(at)
                .and_then(|&text| library::literal(self.program, text))
            && library::formats(text).iter().any(|&(_, letter)| letter == b'p')
        {
            return refuse(format!("pointers that `{}` reads from text", row.name));
        }
        let kept = |&(at, &argument): &(usize, &ExprId)| row.parameter(at).kept && !self.is_number(argument);
        if call.arguments.iter().enumerate().any(|argument| kept(&argument)) {
            return refuse(format!("memory that `{}` keeps and uses later", row.name));
        }
        let needed = row.parameters.iter().rposition(|parameter| {
            parameter.reads.is_some() || parameter.writes.is_some() || parameter.frees
        });
        match needed {
            Some(at) if at >= call.arguments.len() && row.rest == library::Parameter::default() => {
                refuse(format!("a call of `{}` with too few arguments", row.name))
            }
            _ => Ok(()),
        }
    }

    /// Whether a pointer is spelled out as a number, such as null.
    fn is_number(&self, mut pointer: ExprId) -> bool {
        while let ExprKind::Cast { operand, .. } = self.program.expr(pointer).kind {
            pointer = operand;
        }
        matches!(self.program.expr(pointer).kind, ExprKind::Int(_))
    }

    /// The effect of a function that frees blocks.
    fn given_back(&mut self, call: Call<'_>) -> Result<Effect, Unsupported> {
        let freed = call.row.parameters.iter().position(|parameter| parameter.frees);
        match freed.and_then(|at| call.arguments.get(at)) {
            Some(&block) => self.freed(block),
            None => self.unfollowed(call),
        }
    }

    /// Says that the effect allows more than runs do.
    pub(crate) fn note_unfollowed(&mut self, fresh: &mut Vec<Fresh>) {
        let cause = FreshCause::Unfollowed;
        self.fresh_value(fresh, Sort::BitVec(1), SymbolInfo::unsigned(), cause);
    }

    /// The effect of a function that copies to or fills where an argument points.
    fn moved(&mut self, call: Call<'_>) -> Result<Effect, Unsupported> {
        let copies = call.row.copies;
        let to = copies.map_or(0, |copies| copies.to);
        let size = match call.row.parameter(to).writes {
            Some(library::Extent::Argument(size)) => call.arguments.get(size),
            _ => None,
        };
        let (Some(&to), Some(&size)) = (call.arguments.get(to), size) else {
            return self.unfollowed(call);
        };
        let size = self.index_value(size)?;
        let target = self.block_behind(to, size)?;
        let mut updates = Updates::default();
        let source = match copies.and_then(|copies| call.arguments.get(copies.from)) {
            Some(&from) => Some(self.block_behind(from, size)?),
            None => None,
        };
        let byte = match (&call.row.meaning, call.arguments.get(1)) {
            (Some(Meaning::Fill), Some(&byte)) => {
                let byte = self.value(byte)?;
                self.terms.extract(7, 0, byte)
            }
            _ => self.terms.word(8, 0),
        };
        let followed = match (self.small_constant(size), source) {
            (Some(size), Some(source)) => self.copy_block(&mut updates, target, source, size).is_ok(),
            (Some(size), None) => self.fill_block(&mut updates, target, byte, size).is_ok(),
            (None, _) => false,
        };
        let mut fresh = Vec::new();
        if !followed {
            updates = Updates::default();
            self.forget_written(&mut updates, &mut fresh, call);
        }
        if self.small_constant(size).is_none()
            && let Some((is_all, moved)) = self.move_up_to(target, source, byte, size)
        {
            updates = self.either(is_all, &moved, &updates);
        }
        if let Some(place) = call.result {
            let value = match call.row.returns {
                Returns::Pointer {
                    from: Passed::Into(_),
                    ..
                } => self.terms.add(target.address, size),
                _ => target.address,
            };
            self.write_address(&mut updates, place, value)?;
        }
        let guard = self.terms.bool(true);
        Ok(self.finish(guard, updates, fresh))
    }

    /// Stores an address that a function returns. One that was not declared before it is called returns an `int`.
    pub(crate) fn write_address(
        &mut self,
        updates: &mut Updates,
        place: PlaceId,
        address: Term,
    ) -> Result<(), Unsupported> {
        let address = match self.sort(self.program.place(place).ty) {
            Sort::BitVec(bits) => self.terms.resize(bits, address, false),
            _ => address,
        };
        self.write(updates, place, address)
    }

    /// The first updates where the condition holds, the second elsewhere.
    pub(crate) fn either(&mut self, condition: Term, first: &Updates, second: &Updates) -> Updates {
        let mut either = Updates::default();
        for symbol in first.symbols().chain(second.symbols()) {
            let current = self.terms.symbol_term(symbol);
            let [first, second] = [first, second].map(|updates| updates.get(symbol).unwrap_or(current));
            either.set(symbol, self.terms.ite(condition, first, second));
        }
        either
    }

    /// The effect of a function that writes anything where it may write, and returns anything that it may return.
    fn unfollowed(&mut self, call: Call<'_>) -> Result<Effect, Unsupported> {
        let mut updates = Updates::default();
        let mut fresh = Vec::new();
        self.forget_written(&mut updates, &mut fresh, call);
        if !updates.is_empty() {
            self.note_unfollowed(&mut fresh);
        }
        if call.row.frees() {
            // Whichever it was, its address may be given out again.
            let nothing = self.nothing_allocated();
            updates.set(self.symbol(Storage::Allocated), nothing);
            self.no_block_lives(&mut updates);
        }
        let guard = match call.result {
            Some(place) => self.returned(&mut updates, &mut fresh, call, place)?,
            None => self.terms.bool(true),
        };
        Ok(self.finish(guard, updates, fresh))
    }

    /// Stores a result, and says what it can be.
    fn returned(
        &mut self,
        updates: &mut Updates,
        fresh: &mut Vec<Fresh>,
        call: Call<'_>,
        place: PlaceId,
    ) -> Result<Term, Unsupported> {
        let anything = self.terms.bool(true);
        let mut value = self.computed(fresh, call.row, call.arguments, place)?;
        if value.is_none() {
            value = self.of_strings(fresh, call.row, call.arguments, place)?;
        }
        if let Some(value) = value {
            self.write(updates, place, value)?;
            return Ok(anything);
        }
        if let Returns::Pointer {
            from: Passed::Argument(at),
            or_null,
        } = call.row.returns
            && let Some(&argument) = call.arguments.get(at)
        {
            let mut value = self.value(argument)?;
            if or_null {
                let cause = FreshCause::External(call.function);
                let choice = self.fresh_value(fresh, Sort::BitVec(1), SymbolInfo::unsigned(), cause);
                let some = self.terms.is_nonzero(choice);
                let null = self.terms.word(self.pointer_bits(), 0);
                value = self.terms.ite(some, value, null);
            }
            self.write_address(updates, place, value)?;
            return Ok(anything);
        }
        if let Returns::Own { or_null: false, .. } = call.row.returns
            && call.row.only_returns()
            && !call.row.sets_errno
        {
            // It is in one place, like a variable. Where the function is, there is nothing else.
            let address = u128::from(self.function_address(call.function));
            let address = self.terms.word(self.pointer_bits(), address);
            self.write_address(updates, place, address)?;
            return Ok(anything);
        }
        let before = fresh.len();
        self.forget(updates, fresh, place, FreshCause::External(call.function))?;
        let ty = self.program.place(place).ty;
        match (
            call.row.returns,
            &fresh[before..],
            self.program.types.int_shape(ty),
        ) {
            (Returns::Input(low, high), &[input], Some(shape)) if self.program.bit_field(place).is_none() => {
                let value = self.terms.symbol_term(input.symbol);
                let within = self.within(value, shape, low, high);
                let below = self.below_argument(value, shape, call)?;
                Ok(self.terms.and(within, below))
            }
            _ => Ok(anything),
        }
    }

    /// That a value does not exceed the argument that bounds it. A negative one says that nothing was done.
    fn below_argument(
        &mut self,
        value: Term,
        shape: program::IntShape,
        call: Call<'_>,
    ) -> Result<Term, Unsupported> {
        let bound = call.row.at_most.and_then(|at| call.arguments.get(at));
        let (Some(&bound), Sort::BitVec(bits)) = (bound, self.terms.sort(value)) else {
            return Ok(self.terms.bool(true));
        };
        let bound = self.index_value(bound)?;
        let wide = bits.max(self.pointer_bits());
        let bound = self.terms.resize(wide, bound, false);
        let extended = self.terms.resize(wide, value, shape.signed);
        let below = self.terms.ule(extended, bound);
        let zero = self.terms.word(bits, 0);
        let negative = match shape.signed {
            true => self.terms.slt(value, zero),
            false => self.terms.bool(false),
        };
        Ok(self.terms.or(negative, below))
    }

    /// That a value lies between two numbers, as far as its type has them.
    fn within(&mut self, value: Term, shape: program::IntShape, low: i128, high: i128) -> Term {
        let (least, most) = match shape.signed {
            true => (-1 << (shape.bits - 1), (1 << (shape.bits - 1)) - 1),
            // Larger numbers than those of an `i128` are no bounds.
            false => (
                0,
                1_i128
                    .checked_shl(shape.bits)
                    .map_or(i128::MAX, |end| end.wrapping_sub(1)),
            ),
        };
        let mut conditions = Vec::new();
        // A negative answer of an unsigned type is its largest number: then there is no lower bound.
        if low > least && low <= most && self.terms.sort(value) == Sort::BitVec(shape.bits) {
            let bound = self.terms.int(shape.bits, low);
            conditions.push(match shape.signed {
                true => self.terms.sle(bound, value),
                false => self.terms.ule(bound, value),
            });
        }
        let wraps = !shape.signed && low < 0;
        if high < most && high >= least && !wraps && self.terms.sort(value) == Sort::BitVec(shape.bits) {
            let bound = self.terms.int(shape.bits, high);
            conditions.push(match shape.signed {
                true => self.terms.sle(value, bound),
                false => self.terms.ule(value, bound),
            });
        }
        self.terms.all(&conditions)
    }

    /// Forgets all that the call may write.
    pub(crate) fn forget_written(&mut self, updates: &mut Updates, fresh: &mut Vec<Fresh>, call: Call<'_>) {
        for class in self.memory.classes_written(call.edge, call.function) {
            self.forget_class(updates, fresh, class, FreshCause::Unfollowed);
        }
        let program = self.program;
        for (var, _) in library::declared(program, call.row) {
            let place = program
                .exprs
                .find_place(PlaceKind::Var(var), program.vars[var].ty);
            if let Some(place) = place.filter(|_| self.is_split(var)) {
                self.forget(updates, fresh, place, FreshCause::Unfollowed)
                    .expect("the parts of a split variable can be set");
            }
        }
    }

    pub(crate) fn small_constant(&self, size: Term) -> Option<u64> {
        let size = self.terms.as_word(size)?;
        u64::try_from(size).ok().filter(|&size| size <= MAX_CELLS)
    }

    /// The memory that a pointer argument leads to, of which so many bytes are accessed: where these are none it may be null.
    fn block_behind(&mut self, pointer: ExprId, size: Term) -> Result<Block, Unsupported> {
        let address = self.value(pointer)?;
        let (there, some) = (self.terms.is_nonzero(address), self.terms.is_nonzero(size));
        let none = self.terms.not(some);
        let fine = self.terms.or(there, none);
        self.require(fine);
        Ok(Block {
            named: Named::Behind(without_casts(self.program, pointer)),
            address,
        })
    }
}

/// A pointer before conversions to other pointer types, such as `void *`: they do not matter to what it points to.
pub(crate) fn without_casts(program: &program::Program, mut pointer: ExprId) -> ExprId {
    while let ExprKind::Cast { operand, .. } = program.expr(pointer).kind {
        if !program.types.is_pointer(program.expr(operand).ty) {
            break;
        }
        pointer = operand;
    }
    pointer
}

//! Declarations: functions, global and local objects, string and compound literals.

use program::{
    Body, FuncId, Function, FunctionType, HavocCause, Initial, IntKind, PlaceId, Type, TypeId, Var, VarId,
    VarKind,
};
use rucc_sema as sema;
use sema::{DeclFlags, DeclKind, Definition, Emission, Linkage, StorageDuration};

use super::effects::mentions;
use super::graph::Graph;
use super::init::Object;
use super::names::{known_name, symbol};
use super::types::{REVERSED, has_reversed};
use super::{BodyState, Entity, Lowering};
use crate::link::{Claim, Strength};
use crate::refuse::Refused;
use crate::unit::locate;
use diagnostics::{Diagnostic, Severity};

impl Lowering<'_> {
    pub(super) fn top_level(&mut self, id: sema::DeclId) {
        let decl = &self.unit.tast[id];
        match decl.kind {
            DeclKind::Type => {}
            DeclKind::Function if decl.body.is_some() => self.function_definition(id),
            _ if decl.alias.is_some() && self.unit.tast.is_ifunc(id) => self.ifunc(id),
            _ if decl.alias.is_some() => self.alias(id),
            DeclKind::Function => {}
            DeclKind::Object => self.global_definition(id),
        }
    }

    /// What a declaration stands for; made on first sight.
    pub(super) fn entity(&mut self, id: sema::DeclId) -> Entity {
        if let Some(&known) = self.entities.get(&id) {
            return known;
        }
        let decl = &self.unit.tast[id];
        let entity = match decl.kind {
            DeclKind::Function => Entity::Function(self.declare_function(id)),
            DeclKind::Object | DeclKind::Type => match decl.duration {
                StorageDuration::Static | StorageDuration::Thread => Entity::Var(self.declare_global(id)),
                StorageDuration::Automatic => Entity::Var(self.declare_local(id)),
            },
        };
        self.entities.insert(id, entity);
        entity
    }

    fn decl_name(&self, id: sema::DeclId) -> String {
        self.unit.tast[id]
            .name
            .map(|name| self.name(name))
            .unwrap_or_default()
    }

    fn declare_function(&mut self, id: sema::DeclId) -> FuncId {
        let decl = &self.unit.tast[id];
        let flags = decl.flags;
        let (name, symbol) = (self.decl_name(id), symbol(self.unit, id));
        let is_static = self.linkage(id) == Linkage::Internal;
        let known = match self.statics.get(&symbol) {
            Some(&Entity::Function(function)) => Some(function),
            _ if is_static => None,
            _ => self.linker.function(&symbol),
        };
        let function = known.unwrap_or_else(|| self.new_function(id, &known_name(&name, &symbol), &symbol));
        if flags.contains(DeclFlags::WEAK) || flags.contains(DeclFlags::WEAKREF) {
            self.linker.add_weak(Refused::AddressOf(function));
        }
        function
    }

    /// The linkage of the entity itself: a weak reference is `static` only as a name.
    fn linkage(&self, id: sema::DeclId) -> Linkage {
        let decl = &self.unit.tast[id];
        match decl.flags.contains(DeclFlags::WEAKREF) {
            true => Linkage::External,
            false => decl.linkage,
        }
    }

    fn new_function(&mut self, id: sema::DeclId, name: &str, symbol: &str) -> FuncId {
        let decl = &self.unit.tast[id];
        let flags = decl.flags;
        let is_static = self.linkage(id) == Linkage::Internal;
        let tree_type = decl.ty;
        let ty = self.ty(tree_type);
        let ty = self.function_type(ty);
        let span = self.span(self.unit.tast.decl_span(id));
        let noreturn = flags.contains(DeclFlags::NORETURN) || (!is_static && never_returns(name));
        let function = self.program.functions.push(Function {
            name: name.to_owned(),
            ty,
            params: Vec::new(),
            locals: Vec::new(),
            body: None,
            noreturn,
            is_static,
            const_params: const_params(&self.unit.types, tree_type),
            span,
        });
        if is_static {
            self.statics.insert(symbol.to_owned(), Entity::Function(function));
        } else {
            self.linker.add_function(symbol, function);
        }
        function
    }

    /// A function's type; where the tree has something else, a function without a prototype.
    fn function_type(&mut self, ty: TypeId) -> TypeId {
        if matches!(self.program.types.get(ty), Type::Function(_)) {
            return ty;
        }
        let result = self.int();
        self.program.types.intern(Type::Function(FunctionType {
            result,
            params: Vec::new(),
            variadic: true,
        }))
    }

    /// Claims an external name for a definition in this unit; false if another definition stands.
    pub(super) fn claim(&mut self, name: &str, strength: Strength, id: sema::DeclId) -> bool {
        let location = locate(self.unit.tast.decl_span(id), &self.unit.sources);
        match self.linker.claim(name, strength, location.clone()) {
            Claim::Granted => true,
            Claim::Ignored => false,
            Claim::Duplicate(earlier) => {
                let note = Diagnostic {
                    severity: Severity::Note,
                    message: "first defined here".to_owned(),
                    location: earlier,
                    notes: Vec::new(),
                };
                self.errors.push(Diagnostic {
                    severity: Severity::Error,
                    message: format!("`{name}` is defined twice"),
                    location,
                    notes: vec![note],
                });
                false
            }
        }
    }

    fn function_definition(&mut self, id: sema::DeclId) {
        let Entity::Function(function) = self.entity(id) else {
            unreachable!("a function declares a function")
        };
        let decl = self.unit.tast[id].clone();
        let name = self.decl_name(id);
        if decl.linkage == Linkage::External {
            let gives_way = decl.inline == Emission::Inline || decl.flags.contains(DeclFlags::WEAK);
            let strength = if gives_way {
                Strength::Weak
            } else {
                Strength::Strong
            };
            if !self.claim(&symbol(self.unit, id), strength, id) {
                return;
            }
        } else if self.program.functions[function].body.is_some() {
            return;
        }
        // Functions without a priority run after those with one, and before `main`.
        let priority = |p: sema::Priority| match p {
            sema::Priority::Numbered(number) => u32::from(number),
            sema::Priority::Unnumbered => u32::MAX,
        };
        if let Some(before) = decl.startup.before {
            self.linker.add_constructor(priority(before), function);
        }
        if decl.startup.after.is_some() {
            self.linker.add_destructor(function);
        }
        let ty = self.ty(decl.ty);
        let ty = self.function_type(ty);
        let Type::Function(signature) = self.program.types.get(ty) else {
            unreachable!("function_type gives a function type")
        };
        let result = signature.result;
        let span = self.span(self.unit.tast.decl_span(id));
        self.body = BodyState::new(Some(function), Some(result));
        let mut params = Vec::new();
        for &param in &self.unit.tast[decl.params] {
            let var = self.declare_param(param);
            self.entities.insert(param, Entity::Var(var));
            params.push(var);
        }
        // Lengths that parameters mention: `int f(int n, int a[n][n])`.
        for &param in &self.unit.tast[decl.params] {
            self.evaluate_lengths(self.unit.tast[param].ty);
        }
        let body_stmt = decl.body.expect("a function definition has a body");
        self.function_body(body_stmt, &name);
        let body = self.install_body(function);
        let locals = std::mem::take(&mut self.body.locals);
        let entry = &mut self.program.functions[function];
        entry.ty = ty;
        entry.params = params;
        entry.locals = locals;
        entry.body = Some(body);
        entry.span = span;
        entry.noreturn |= decl.flags.contains(DeclFlags::NORETURN);
    }

    fn install_body(&mut self, function: FuncId) -> Body {
        let graph = std::mem::replace(&mut self.body.graph, Graph::new());
        let int = self.int();
        let always = self.program.int(1, int);
        graph.install(self.program, function, always)
    }

    fn declare_param(&mut self, id: sema::DeclId) -> VarId {
        self.declare_object(id, VarKind::Param)
    }

    fn declare_local(&mut self, id: sema::DeclId) -> VarId {
        let var = self.declare_object(id, VarKind::Local);
        self.body.locals.push(var);
        var
    }

    fn declare_object(&mut self, id: sema::DeclId, kind: VarKind) -> VarId {
        let decl = &self.unit.tast[id];
        let (tree_type, alignment) = (decl.ty, decl.alignment);
        let name = self.decl_name(id);
        let ty = self.object_type(tree_type);
        let span = self.span(self.unit.tast.decl_span(id));
        let is_const = self
            .unit
            .types
            .object_quals(tree_type)
            .has(rucc_types::Qualifiers::CONST);
        let align = self
            .program
            .types
            .align(ty)
            .max(alignment.map_or(1, u64::from))
            .max(1);
        let function = self.body.function;
        let name = if name.is_empty() {
            "(literal)".to_owned()
        } else {
            name
        };
        let var = self.program.vars.push(Var {
            name,
            ty,
            kind,
            function,
            span,
            is_const,
            align,
        });
        if self.shared.contains(&id) {
            self.shared_vars.insert(var);
        }
        var
    }

    /// The type of an object's variable: an array of run-time length is a pointer to its storage.
    fn object_type(&mut self, tree_type: rucc_types::TypeId) -> TypeId {
        let ty = self.ty(tree_type);
        if self.is_variable_length(tree_type)
            && let Some(element) = self.program.types.element(ty)
        {
            return self.program.types.pointer(element);
        }
        ty
    }

    fn declare_global(&mut self, id: sema::DeclId) -> VarId {
        let target = self.alias_target(id).map(|target| self.entity(target));
        if let Some(Entity::Var(var)) = target
            && self.is_same_object(id, var)
        {
            return var;
        }
        let (linkage, flags) = (self.linkage(id), self.unit.tast[id].flags);
        let name = symbol(self.unit, id);
        let known = match (linkage, self.statics.get(&name)) {
            (Linkage::None, _) => None,
            (_, Some(&Entity::Var(var))) => Some(var),
            (Linkage::External, _) => self.linker.global(&name),
            (Linkage::Internal, _) => None,
        };
        if let Some(known) = known {
            return known;
        }
        let function = self.body.function;
        if linkage != Linkage::None {
            self.body.function = None;
        }
        let var = self.declare_object(id, VarKind::Global(Initial::External));
        self.body.function = function;
        if flags.contains(DeclFlags::WEAK) || flags.contains(DeclFlags::WEAKREF) {
            self.linker.add_weak(Refused::AddressOfObject(var));
        }
        if target.is_some() {
            let description = format!("`{name}`, an alias of an object of another type");
            self.linker.refuse(Refused::Object(var), description);
        }
        match linkage {
            Linkage::External => self.linker.add_global(&name, var),
            Linkage::Internal => {
                self.statics.insert(name, Entity::Var(var));
            }
            Linkage::None => {}
        }
        // A static object without linkage is defined where it is declared.
        if linkage == Linkage::None {
            self.entities.insert(id, Entity::Var(var));
            self.define_global(id, var);
        }
        var
    }

    /// Whether the declaration can name the variable: it has its type, but for the length of an array.
    fn is_same_object(&mut self, id: sema::DeclId, var: VarId) -> bool {
        let declared = self.object_type(self.unit.tast[id].ty);
        let types = &self.program.types;
        let own = self.program.vars[var].ty;
        let elements = (types.element(declared), types.element(own));
        declared == own || matches!(elements, (Some(a), Some(b)) if a == b)
    }

    fn global_definition(&mut self, id: sema::DeclId) {
        let state = self.unit.tast[id].state;
        let Entity::Var(var) = self.entity(id) else { return };
        if state == Definition::Declared {
            return;
        }
        let linkage = self.unit.tast[id].linkage;
        if linkage == Linkage::External {
            let name = symbol(self.unit, id);
            let weak = self.unit.tast[id].flags.contains(DeclFlags::WEAK);
            let strength = match state {
                _ if weak => Strength::Weak,
                Definition::Defined => Strength::Strong,
                _ => Strength::Tentative,
            };
            if !self.claim(&name, strength, id) {
                return;
            }
        } else if state == Definition::Tentative
            && !matches!(self.program.vars[var].kind, VarKind::Global(Initial::External))
        {
            return;
        }
        self.define_global(id, var);
    }

    fn define_global(&mut self, id: sema::DeclId, var: VarId) {
        let decl = self.unit.tast[id].clone();
        // The definition's type is the complete one: `extern int a[]; int a[3];`.
        let ty = self.ty(decl.ty);
        let ty = self.complete_by_initializer(ty, id);
        self.program.vars[var].ty = ty;
        self.require_complete(var, id);
        self.program.vars[var].kind = VarKind::Global(Initial::Values(Vec::new()));
        let place = self.program.var_place(var);
        let outer = self.body.span;
        self.body.span = self.span(self.unit.tast.decl_span(id));
        if decl.init.is_some() && has_reversed(self.unit, decl.ty) {
            self.linker.refuse(Refused::Object(var), REVERSED.to_owned());
        }
        let values = match decl.init {
            Some(entries) => self.static_initializer(place, entries),
            None => Vec::new(),
        };
        self.body.span = outer;
        self.program.vars[var].kind = VarKind::Global(Initial::Values(values));
    }

    /// An object needs a type of known size by the end of the file.
    fn require_complete(&mut self, var: VarId, id: sema::DeclId) {
        let ty = self.program.vars[var].ty;
        if let Type::Record(record) = *self.program.types.get(ty)
            && !self.program.types.record(record).complete
        {
            self.errors.push(Diagnostic {
                severity: Severity::Error,
                message: format!("the type of `{}` is never completed", self.program.vars[var].name),
                location: locate(self.unit.tast.decl_span(id), &self.unit.sources),
                notes: Vec::new(),
            });
        }
    }

    /// An array of unknown length, or a record that ends in one, is as large as its initialiser makes it.
    fn complete_by_initializer(&mut self, ty: TypeId, id: sema::DeclId) -> TypeId {
        match *self.program.types.get(ty) {
            Type::Array(element, None) => {
                let size = self.unit.tast.extent(id).max(self.program.types.size(element));
                let element_size = self.program.types.size(element).max(1);
                // A tentative array of unknown length has one element.
                self.program
                    .types
                    .array(element, Some((size / element_size).max(1)))
            }
            _ => ty,
        }
    }

    /// A local declaration statement.
    pub(super) fn local_declaration(&mut self, id: sema::DeclId) {
        let decl = self.unit.tast[id].clone();
        let span = self.span(self.unit.tast.decl_span(id));
        self.body.span = span;
        match decl.kind {
            DeclKind::Type => {
                self.evaluate_lengths(decl.ty);
                return;
            }
            DeclKind::Function => {
                // A prototype in a block stands for the function that the file defines further down.
                if decl.body.is_some() && !self.unit.tast.top_level().contains(&id) {
                    self.unsupported("a nested function");
                }
                return;
            }
            DeclKind::Object => {}
        }
        if decl.duration != StorageDuration::Automatic {
            self.entity(id);
            return;
        }
        self.evaluate_lengths(decl.ty);
        let Entity::Var(var) = self.entity(id) else { return };
        self.note_scope(var);
        let place = self.program.var_place(var);
        self.require_complete(var, id);
        if self.has_variable_layout(decl.ty) {
            self.unsupported("a struct whose layout is known only at run time");
        } else if self.is_variable_length(decl.ty) {
            self.allocate_variable_length(decl.ty, place);
        } else {
            match decl.init {
                Some(_) if has_reversed(self.unit, decl.ty) => self.unsupported(REVERSED),
                Some(entries) => {
                    // `int x = x;` reads it before it has a value.
                    let values = self.unit.tast[entries].iter().map(|entry| entry.value);
                    if values
                        .into_iter()
                        .any(|value| mentions(&self.unit.tast, value, id))
                    {
                        self.havoc(place, HavocCause::Uninitialised);
                    }
                    self.initialize(place, entries, Object::Declared);
                }
                None => self.havoc(place, HavocCause::Uninitialised),
            }
        }
        if let Some(cleanup) = decl.cleanup
            && let Entity::Function(handler) = self.entity(cleanup)
            && let Some(scope) = self.body.scopes.last_mut()
        {
            scope.cleanups.push((place, handler));
        }
    }

    /// Notes a variable that lives no longer than a block within the function.
    pub(super) fn note_scope(&mut self, var: VarId) {
        // The first is the function's body.
        let around = self.body.scopes.iter().skip(1);
        let blocks: Vec<u32> = around.map(|scope| scope.number).collect();
        if !blocks.is_empty() {
            self.program.scopes.insert(var, blocks);
        }
    }

    /// The object of a compound literal, initialised anew each time it is evaluated.
    pub(super) fn compound_literal(&mut self, id: sema::DeclId) -> VarId {
        let decl = self.unit.tast[id].clone();
        let Entity::Var(var) = self.entity(id) else {
            unreachable!("a compound literal is an object")
        };
        if decl.duration == StorageDuration::Automatic {
            self.note_scope(var);
            let place: PlaceId = self.program.var_place(var);
            match decl.init {
                Some(_) if has_reversed(self.unit, decl.ty) => self.unsupported(REVERSED),
                Some(entries) => self.initialize(place, entries, Object::Literal),
                None => self.havoc(place, HavocCause::Uninitialised),
            }
        }
        var
    }

    /// The object of a string literal used as an array of the given type.
    pub(super) fn string(&mut self, id: sema::StrId, ty: rucc_types::TypeId) -> VarId {
        if let Some(&known) = self.strings.get(&id) {
            return known;
        }
        let ty = self.ty(ty);
        self.add_string(id, ty)
    }

    /// The object of a string literal, with the type its bytes give it.
    pub(super) fn string_of_literal(&mut self, id: sema::StrId) -> VarId {
        if let Some(&known) = self.strings.get(&id) {
            return known;
        }
        let literal = &self.unit.tast[id];
        let kind = match literal.encoding.element_width(&self.unit.target) {
            8 if !self.unit.target.char_is_signed => IntKind::UChar,
            8 => IntKind::Char,
            16 => IntKind::UShort,
            _ => IntKind::Int,
        };
        let length = literal.elements.len() as u64 + 1;
        let element = self.program.types.int(kind);
        let ty = self.program.types.array(element, Some(length));
        self.add_string(id, ty)
    }

    fn add_string(&mut self, id: sema::StrId, ty: TypeId) -> VarId {
        let literal = &self.unit.tast[id];
        let mut bytes = literal.bytes(&self.unit.target);
        let text = String::from_utf8_lossy(&bytes[..bytes.len().saturating_sub(1)]).into_owned();
        // `char a[2] = "ab"` has no room for the terminator.
        bytes.truncate(usize::try_from(self.program.types.size(ty)).unwrap_or(bytes.len()));
        let var = self.program.vars.push(Var {
            name: format!("{text:?}"),
            ty,
            kind: VarKind::Global(Initial::Bytes(bytes)),
            function: None,
            span: self.body.span,
            is_const: true,
            align: 1,
        });
        self.strings.insert(id, var);
        var
    }
}

/// Whether a function of the C library or of verification tasks does not come back, whatever its declaration says.
fn never_returns(name: &str) -> bool {
    let row = library::of(name).function;
    // Whether `__assert` is given the condition, or called when it fails, is for its calls to say.
    row.never_returns() && row.reserved && name != "__assert"
}

/// Which parameters of a function type are pointers to something `const`, from which a pointer does not lead on to something
/// that is not.
fn const_params(types: &rucc_types::Types, function: rucc_types::TypeId) -> Vec<usize> {
    let rucc_types::TypeKind::Function(id) = types.kind(types.canonical(function)) else {
        return Vec::new();
    };
    let params = types.signature(id).params.iter().enumerate();
    params
        .filter(|&(_, &param)| {
            let pointee = rucc_types::pointee(types, param);
            pointee.is_some_and(|ty| is_only_read(types, ty))
        })
        .map(|(at, _)| at)
        .collect()
}

fn is_only_read(types: &rucc_types::Types, mut ty: rucc_types::TypeId) -> bool {
    while types.object_quals(ty).has(rucc_types::Qualifiers::CONST) {
        match rucc_types::pointee(types, ty) {
            Some(pointee)
                if !matches!(
                    types.kind(types.canonical(pointee)),
                    rucc_types::TypeKind::Function(_)
                ) =>
            {
                ty = pointee;
            }
            _ => return true,
        }
    }
    false
}

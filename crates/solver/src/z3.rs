//! Z3's C interface made safe: reference counts, error codes and null results. Everything that is unsafe is here.
//!
//! The bindings' own safe layer panics where Z3 reports an error and shares one hidden context per thread; a verdict
//! needs errors as values and a context per solver, so this layer stands on the raw functions. What it relies on:
//! every object is used with the context that made it (each holds that context), and every object is counted before
//! another call can free it.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString};
use std::fmt;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use z3_sys::*;

/// Why a call failed, in Z3's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Z3Error(pub String);

pub type Result<T> = std::result::Result<T, Z3Error>;

/// The context is deleted with its last object.
struct Raw {
    ctx: Z3_context,
    /// What interrupters from other threads see; emptied before the context goes.
    shared: Arc<Mutex<Option<SharedContext>>>,
    /// How often it was interrupted, for those who work beside Z3.
    interruptions: Arc<AtomicU64>,
}

struct SharedContext(Z3_context);

// SAFETY: other threads only pass it to `Z3_interrupt`, which may be called from any thread, under the lock that
// `Raw::drop` takes before the context is deleted.
unsafe impl Send for SharedContext {}

impl Drop for Raw {
    fn drop(&mut self) {
        if let Ok(mut shared) = self.shared.lock() {
            *shared = None;
        }
        // SAFETY: this is the last user of the context: every object holds an `Rc` of it.
        without_memory_limit(|| unsafe { Z3_del_context(self.ctx) });
    }
}

/// Stops what a context is computing, from any thread; without effect once the context is gone.
#[derive(Clone)]
pub struct Interrupter {
    shared: Arc<Mutex<Option<SharedContext>>>,
    interruptions: Arc<AtomicU64>,
}

impl Interrupter {
    pub fn interrupt(&self) {
        self.interruptions.fetch_add(1, Ordering::Relaxed);
        if let Ok(shared) = self.shared.lock()
            && let Some(context) = &*shared
        {
            // SAFETY: the context lives while the lock is held, and interrupting is allowed from any thread.
            unsafe { Z3_interrupt(context.0) }
        }
    }
}

#[derive(Clone)]
pub struct Context(Rc<Raw>);

/// A counted reference to a Z3 expression or sort of a context.
pub struct Ast {
    raw: Rc<Raw>,
    ast: Z3_ast,
}

impl Clone for Ast {
    fn clone(&self) -> Ast {
        // SAFETY: the object is alive, as `self` counts it.
        unsafe { Z3_inc_ref(self.raw.ctx, self.ast) };
        Ast {
            raw: Rc::clone(&self.raw),
            ast: self.ast,
        }
    }
}

impl Drop for Ast {
    fn drop(&mut self) {
        // SAFETY: `self` counted it once.
        unsafe { Z3_dec_ref(self.raw.ctx, self.ast) }
    }
}

impl fmt::Debug for Ast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the object is alive; the text is copied before the next call.
        let text = unsafe { CStr::from_ptr(Z3_ast_to_string(self.raw.ctx, self.ast)) };
        write!(f, "{}", text.to_string_lossy())
    }
}

#[derive(Clone)]
pub struct Sort(Ast);

pub type Unary = unsafe extern "C" fn(Z3_context, Z3_ast) -> Option<Z3_ast>;
pub type Binary = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast) -> Option<Z3_ast>;
pub type Ternary = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_ast) -> Option<Z3_ast>;
pub type Nary = unsafe extern "C" fn(Z3_context, u32, *const Z3_ast) -> Option<Z3_ast>;
pub type Indexed = unsafe extern "C" fn(Z3_context, u32, Z3_ast) -> Option<Z3_ast>;
pub type ToSort = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_sort) -> Option<Z3_ast>;
pub type RoundedToSort = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_sort) -> Option<Z3_ast>;
pub type RoundedToWord = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, u32) -> Option<Z3_ast>;

fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "?")).expect("no zero bytes are left")
}

/// The limit of all contexts together, in MiB; 0 is none.
static MEMORY_LIMIT: Mutex<u32> = Mutex::new(0);

/// Limits the memory of all contexts together.
pub fn set_memory_limit(megabytes: u32) {
    if let Ok(mut limit) = MEMORY_LIMIT.lock() {
        *limit = megabytes;
        enforce_memory_limit(megabytes);
    }
}

/// Z3 looks at the watermark where it can give up in good order. The hard bound throws from wherever memory is asked for,
/// and so comes later.
fn enforce_memory_limit(megabytes: u32) {
    set_global(
        "memory_high_watermark_mb",
        &(megabytes - megabytes / 8).to_string(),
    );
    set_global("memory_max_size", &megabytes.to_string());
}

/// Does what must not fail for lack of memory: freeing may ask for some, and what Z3 throws there ends the process.
pub fn without_memory_limit<T>(work: impl FnOnce() -> T) -> T {
    let Ok(limit) = MEMORY_LIMIT.lock() else {
        return work();
    };
    // SAFETY: it only reads a number.
    let used = unsafe { Z3_get_estimated_alloc_size() } >> 20;
    if *limit == 0 || used < u64::from(*limit / 2) {
        drop(limit);
        return work();
    }
    enforce_memory_limit(0);
    let done = work();
    enforce_memory_limit(*limit);
    done
}

/// Sets a parameter of the library.
fn set_global(name: &str, value: &str) {
    let (name, value) = (c_string(name), c_string(value));
    // SAFETY: both strings live through the call.
    unsafe { Z3_global_param_set(name.as_ptr(), value.as_ptr()) }
}

pub fn version() -> (u32, u32, u32) {
    let (mut major, mut minor, mut build, mut revision) = (0, 0, 0, 0);
    // SAFETY: the four pointers are valid.
    unsafe { Z3_get_version(&mut major, &mut minor, &mut build, &mut revision) };
    (major, minor, build)
}

impl Context {
    pub fn new() -> Result<Context> {
        // SAFETY: the configuration is deleted after its only use; without a handler errors are codes, not exits.
        unsafe {
            let config = Z3_mk_config().ok_or_else(|| Z3Error("no configuration".to_owned()))?;
            let context = Z3_mk_context_rc(config);
            Z3_del_config(config);
            let ctx = context.ok_or_else(|| Z3Error("no context".to_owned()))?;
            Z3_set_error_handler(ctx, None);
            let shared = Arc::new(Mutex::new(Some(SharedContext(ctx))));
            Ok(Context(Rc::new(Raw {
                ctx,
                shared,
                interruptions: Arc::default(),
            })))
        }
    }

    pub fn interrupter(&self) -> Interrupter {
        Interrupter {
            shared: Arc::clone(&self.0.shared),
            interruptions: self.interruptions(),
        }
    }

    /// How often it was interrupted.
    pub fn interruptions(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.0.interruptions)
    }

    fn error(&self) -> Z3Error {
        // SAFETY: the text is copied before the next call.
        unsafe {
            let code = Z3_get_error_code(self.0.ctx);
            let text = CStr::from_ptr(Z3_get_error_msg(self.0.ctx, code));
            Z3Error(text.to_string_lossy().into_owned())
        }
    }

    /// Fails if the last call did.
    fn checked(&self) -> Result<()> {
        // SAFETY: reading the code changes nothing.
        let code = unsafe { Z3_get_error_code(self.0.ctx) };
        if code == ErrorCode::Ok {
            Ok(())
        } else {
            Err(self.error())
        }
    }

    fn wrap(&self, ast: Option<Z3_ast>) -> Result<Ast> {
        let ast = ast.ok_or_else(|| self.error())?;
        // SAFETY: a fresh result is alive until the next call, and is counted here before it.
        unsafe { Z3_inc_ref(self.0.ctx, ast) };
        Ok(Ast {
            raw: Rc::clone(&self.0),
            ast,
        })
    }

    fn wrap_sort(&self, sort: Option<Z3_sort>) -> Result<Sort> {
        let sort = sort.ok_or_else(|| self.error())?;
        // SAFETY: a sort is an expression object too; it is counted before the next call that makes one.
        Ok(Sort(self.wrap(unsafe { Z3_sort_to_ast(self.0.ctx, sort) })?))
    }

    fn symbol(&self, name: &str) -> Result<Z3_symbol> {
        let name = c_string(name);
        // SAFETY: the string lives through the call; symbols live as long as the context.
        unsafe { Z3_mk_string_symbol(self.0.ctx, name.as_ptr()) }.ok_or_else(|| self.error())
    }

    fn sort_ptr(sort: &Sort) -> Z3_sort {
        // A sort was made from a `Z3_sort`; the two pointers are the same object.
        sort.0.ast.cast()
    }

    pub fn bool_sort(&self) -> Result<Sort> {
        // SAFETY: as for all sorts below, the context is alive and the result is counted at once.
        self.wrap_sort(unsafe { Z3_mk_bool_sort(self.0.ctx) })
    }

    pub fn int_sort(&self) -> Result<Sort> {
        // SAFETY: see `bool_sort`.
        self.wrap_sort(unsafe { Z3_mk_int_sort(self.0.ctx) })
    }

    pub fn real_sort(&self) -> Result<Sort> {
        // SAFETY: see `bool_sort`.
        self.wrap_sort(unsafe { Z3_mk_real_sort(self.0.ctx) })
    }

    pub fn word_sort(&self, width: u32) -> Result<Sort> {
        // SAFETY: see `bool_sort`.
        self.wrap_sort(unsafe { Z3_mk_bv_sort(self.0.ctx, width) })
    }

    pub fn float_sort(&self, exponent: u32, significand: u32) -> Result<Sort> {
        // SAFETY: see `bool_sort`.
        self.wrap_sort(unsafe { Z3_mk_fpa_sort(self.0.ctx, exponent, significand) })
    }

    pub fn array_sort(&self, index: &Sort, element: &Sort) -> Result<Sort> {
        // SAFETY: see `bool_sort`; the arguments are alive.
        self.wrap_sort(unsafe {
            Z3_mk_array_sort(self.0.ctx, Context::sort_ptr(index), Context::sort_ptr(element))
        })
    }

    pub fn constant(&self, name: &str, sort: &Sort) -> Result<Ast> {
        let symbol = self.symbol(name)?;
        // SAFETY: symbol and sort are alive.
        self.wrap(unsafe { Z3_mk_const(self.0.ctx, symbol, Context::sort_ptr(sort)) })
    }

    pub fn truth(&self, value: bool) -> Result<Ast> {
        // SAFETY: the context is alive.
        self.wrap(unsafe {
            if value {
                Z3_mk_true(self.0.ctx)
            } else {
                Z3_mk_false(self.0.ctx)
            }
        })
    }

    /// A number in decimal.
    pub fn numeral(&self, number: &str, sort: &Sort) -> Result<Ast> {
        let number = c_string(number);
        // SAFETY: string and sort are alive.
        self.wrap(unsafe { Z3_mk_numeral(self.0.ctx, number.as_ptr(), Context::sort_ptr(sort)) })
    }

    /// Rounding to nearest, or towards zero.
    pub fn rounding(&self, towards_zero: bool) -> Result<Ast> {
        // SAFETY: the context is alive.
        self.wrap(unsafe {
            if towards_zero {
                Z3_mk_fpa_rtz(self.0.ctx)
            } else {
                Z3_mk_fpa_rne(self.0.ctx)
            }
        })
    }

    // SAFETY of the calls below: the functions passed are constructors of Z3 (this crate passes no others); the
    // arguments are alive and of this context; an ill-sorted application is reported as null.

    pub fn unary(&self, function: Unary, a: &Ast) -> Result<Ast> {
        self.wrap(unsafe { function(self.0.ctx, a.ast) })
    }

    pub fn binary(&self, function: Binary, a: &Ast, b: &Ast) -> Result<Ast> {
        self.wrap(unsafe { function(self.0.ctx, a.ast, b.ast) })
    }

    pub fn ternary(&self, function: Ternary, a: &Ast, b: &Ast, c: &Ast) -> Result<Ast> {
        self.wrap(unsafe { function(self.0.ctx, a.ast, b.ast, c.ast) })
    }

    pub fn nary(&self, function: Nary, args: &[Ast]) -> Result<Ast> {
        let args: Vec<Z3_ast> = args.iter().map(|a| a.ast).collect();
        self.wrap(unsafe { function(self.0.ctx, args.len() as u32, args.as_ptr()) })
    }

    pub fn indexed(&self, function: Indexed, index: u32, a: &Ast) -> Result<Ast> {
        self.wrap(unsafe { function(self.0.ctx, index, a.ast) })
    }

    pub fn to_sort(&self, function: ToSort, a: &Ast, sort: &Sort) -> Result<Ast> {
        self.wrap(unsafe { function(self.0.ctx, a.ast, Context::sort_ptr(sort)) })
    }

    pub fn rounded_to_sort(&self, function: RoundedToSort, mode: &Ast, a: &Ast, sort: &Sort) -> Result<Ast> {
        self.wrap(unsafe { function(self.0.ctx, mode.ast, a.ast, Context::sort_ptr(sort)) })
    }

    pub fn rounded_to_word(&self, function: RoundedToWord, mode: &Ast, a: &Ast, width: u32) -> Result<Ast> {
        self.wrap(unsafe { function(self.0.ctx, mode.ast, a.ast, width) })
    }

    pub fn extract(&self, high: u32, low: u32, a: &Ast) -> Result<Ast> {
        self.wrap(unsafe { Z3_mk_extract(self.0.ctx, high, low, a.ast) })
    }

    pub fn const_array(&self, index: &Sort, value: &Ast) -> Result<Ast> {
        self.wrap(unsafe { Z3_mk_const_array(self.0.ctx, Context::sort_ptr(index), value.ast) })
    }

    pub fn and(&self, args: &[Ast]) -> Result<Ast> {
        self.nary(Z3_mk_and, args)
    }

    pub fn exists(&self, bound: &[Ast], body: &Ast) -> Result<Ast> {
        self.quantify(false, bound, body)
    }

    pub fn forall(&self, bound: &[Ast], body: &Ast) -> Result<Ast> {
        self.quantify(true, bound, body)
    }

    fn quantify(&self, forall: bool, bound: &[Ast], body: &Ast) -> Result<Ast> {
        if bound.is_empty() {
            return Ok(body.clone());
        }
        // SAFETY: constants are applications, which `Z3_to_app` casts; everything is alive.
        unsafe {
            let apps: Option<Vec<Z3_app>> = bound.iter().map(|b| Z3_to_app(self.0.ctx, b.ast)).collect();
            let apps = apps.ok_or_else(|| self.error())?;
            let none = std::ptr::null();
            let count = apps.len() as u32;
            let (ctx, apps) = (self.0.ctx, apps.as_ptr());
            self.wrap(if forall {
                Z3_mk_forall_const(ctx, 0, count, apps, 0, none, body.ast)
            } else {
                Z3_mk_exists_const(ctx, 0, count, apps, 0, none, body.ast)
            })
        }
    }

    /// The formulas that a tactic leaves of one, within a time limit; they are meant as one conjunction.
    pub fn tactic(&self, name: &str, formula: &Ast, milliseconds: u32) -> Result<Vec<Ast>> {
        let ctx = self.0.ctx;
        let name = c_string(name);
        // SAFETY: each object is counted when made and released at the end of this block on every way out.
        unsafe {
            let base = Z3_mk_tactic(ctx, name.as_ptr()).ok_or_else(|| self.error())?;
            Z3_tactic_inc_ref(ctx, base);
            let limited = Z3_tactic_try_for(ctx, base, milliseconds);
            if let Some(tactic) = limited {
                Z3_tactic_inc_ref(ctx, tactic);
            }
            let goal = Z3_mk_goal(ctx, false, false, false);
            if let Some(goal) = goal {
                Z3_goal_inc_ref(ctx, goal);
                Z3_goal_assert(ctx, goal, formula.ast);
            }
            let applied = match (limited, goal) {
                (Some(tactic), Some(goal)) => Z3_tactic_apply(ctx, tactic, goal),
                _ => None,
            };
            let formulas = match applied {
                None => Err(self.error()),
                Some(result) => {
                    Z3_apply_result_inc_ref(ctx, result);
                    let formulas = self.only_subgoal(result);
                    Z3_apply_result_dec_ref(ctx, result);
                    formulas
                }
            };
            if let Some(goal) = goal {
                Z3_goal_dec_ref(ctx, goal);
            }
            if let Some(tactic) = limited {
                Z3_tactic_dec_ref(ctx, tactic);
            }
            Z3_tactic_dec_ref(ctx, base);
            formulas
        }
    }

    fn only_subgoal(&self, result: Z3_apply_result) -> Result<Vec<Ast>> {
        let ctx = self.0.ctx;
        // SAFETY: the caller counts the result, which keeps its goals alive; each formula is counted here.
        unsafe {
            if Z3_apply_result_get_num_subgoals(ctx, result) != 1 {
                return Err(Z3Error("the tactic split the goal".to_owned()));
            }
            let goal = Z3_apply_result_get_subgoal(ctx, result, 0).ok_or_else(|| self.error())?;
            Z3_goal_inc_ref(ctx, goal);
            let formulas = (0..Z3_goal_size(ctx, goal))
                .map(|i| self.wrap(Z3_goal_formula(ctx, goal, i)))
                .collect();
            Z3_goal_dec_ref(ctx, goal);
            formulas
        }
    }

    /// A two-clause Horn system, `a => I(common)` and `I(common) && b => false`, given to Spacer: the formula that
    /// it answers for `I`, over the terms in `common`, if it has one. It is a guess until somebody verifies it.
    pub fn spacer(&self, common: &[Ast], a: &Ast, b: &Ast, milliseconds: u32) -> Result<Option<Ast>> {
        let ctx = self.0.ctx;
        // SAFETY: declarations and the engine are counted when made and released before returning; the rest is
        // alive through the arguments or wrapped at once.
        unsafe {
            let boolean = self.bool_sort()?;
            let domain: Option<Vec<Z3_sort>> = common.iter().map(|c| Z3_get_sort(ctx, c.ast)).collect();
            let domain = domain.ok_or_else(|| self.error())?;
            let declare = |name: &str, domain: &[Z3_sort]| -> Result<(Z3_func_decl, Ast)> {
                let symbol = self.symbol(name)?;
                let range = Context::sort_ptr(&boolean);
                let decl = Z3_mk_func_decl(ctx, symbol, domain.len() as u32, domain.as_ptr(), range)
                    .ok_or_else(|| self.error())?;
                let counted = self.wrap(Z3_func_decl_to_ast(ctx, decl))?;
                Ok((decl, counted))
            };
            let (label, _label_counted) = declare("label!", &domain)?;
            let (error, _error_counted) = declare("error!", &[])?;
            let args: Vec<Z3_ast> = common.iter().map(|c| c.ast).collect();
            let at_label = self.wrap(Z3_mk_app(ctx, label, args.len() as u32, args.as_ptr()))?;
            let at_error = self.wrap(Z3_mk_app(ctx, error, 0, std::ptr::null()))?;
            let enters = self.close(&self.binary(Z3_mk_implies, a, &at_label)?)?;
            let both = self.and(&[at_label.clone(), b.clone()])?;
            let leaves = self.close(&self.binary(Z3_mk_implies, &both, &at_error)?)?;

            let engine = Z3_mk_fixedpoint(ctx).ok_or_else(|| self.error())?;
            Z3_fixedpoint_inc_ref(ctx, engine);
            let answer = (|| {
                let params = Params::new(self)?;
                params.symbol("engine", "spacer")?;
                params.number("timeout", milliseconds)?;
                params.truth("xform.slice", false)?;
                params.truth("xform.inline_eager", false)?;
                params.truth("xform.inline_linear", false)?;
                Z3_fixedpoint_set_params(ctx, engine, params.raw);
                Z3_fixedpoint_register_relation(ctx, engine, label);
                Z3_fixedpoint_register_relation(ctx, engine, error);
                Z3_fixedpoint_add_rule(ctx, engine, enters.ast, None);
                Z3_fixedpoint_add_rule(ctx, engine, leaves.ast, None);
                self.checked()?;
                if Z3_fixedpoint_query(ctx, engine, at_error.ast) != Z3_L_FALSE {
                    return Ok(None);
                }
                let answer = self.wrap(Z3_fixedpoint_get_cover_delta(ctx, engine, -1, label))?;
                let replaced = self.wrap(Z3_substitute_vars(
                    ctx,
                    answer.ast,
                    args.len() as u32,
                    args.as_ptr(),
                ))?;
                Ok(Some(replaced))
            })();
            Z3_fixedpoint_dec_ref(ctx, engine);
            answer
        }
    }

    /// The clause quantified over all its constants.
    fn close(&self, clause: &Ast) -> Result<Ast> {
        let mut constants: Vec<Ast> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![clause.clone()];
        while let Some(ast) = stack.pop() {
            if !seen.insert(ast.id()) {
                continue;
            }
            let children = ast.children();
            if children.is_empty()
                && ast.kind() == Some(DeclKind::Uninterpreted)
                && !["error!", "label!"].contains(&ast.name().as_str())
            {
                constants.push(ast.clone());
            }
            stack.extend(children);
        }
        self.forall(&constants, clause)
    }
}

impl Ast {
    pub fn context(&self) -> Context {
        Context(Rc::clone(&self.raw))
    }

    /// A number that no other living expression of the context has.
    pub fn id(&self) -> u32 {
        // SAFETY: the object is alive.
        unsafe { Z3_get_ast_id(self.raw.ctx, self.ast) }
    }

    fn app(&self) -> Option<Z3_app> {
        // SAFETY: the object is alive; only applications are cast.
        unsafe {
            let is_app = matches!(
                Z3_get_ast_kind(self.raw.ctx, self.ast),
                AstKind::App | AstKind::Numeral
            );
            is_app.then(|| Z3_to_app(self.raw.ctx, self.ast)).flatten()
        }
    }

    pub fn children(&self) -> Vec<Ast> {
        let context = self.context();
        let Some(app) = self.app() else { return Vec::new() };
        // SAFETY: the application is alive as long as `self`; arguments are counted at once.
        unsafe {
            let count = Z3_get_app_num_args(self.raw.ctx, app);
            (0..count)
                .filter_map(|i| context.wrap(Z3_get_app_arg(self.raw.ctx, app, i)).ok())
                .collect()
        }
    }

    /// The operation of an application.
    pub fn kind(&self) -> Option<DeclKind> {
        let app = self.app()?;
        // SAFETY: the declaration lives as long as the application.
        unsafe {
            Some(Z3_get_decl_kind(
                self.raw.ctx,
                Z3_get_app_decl(self.raw.ctx, app)?,
            ))
        }
    }

    /// A numeric parameter of the operation, such as the bits of an extraction.
    pub fn parameter(&self, index: u32) -> Option<u32> {
        let app = self.app()?;
        // SAFETY: see `kind`; a missing parameter is reported as an error, and the number is then not used.
        unsafe {
            let decl = Z3_get_app_decl(self.raw.ctx, app)?;
            let value = Z3_get_decl_int_parameter(self.raw.ctx, decl, index);
            self.context().checked().ok()?;
            u32::try_from(value).ok()
        }
    }

    /// The name of a constant; empty for what has none.
    pub fn name(&self) -> String {
        let Some(app) = self.app() else {
            return String::new();
        };
        // SAFETY: see `kind`; the text is copied before the next call.
        unsafe {
            let ctx = self.raw.ctx;
            let name = Z3_get_app_decl(ctx, app).and_then(|decl| Z3_get_decl_name(ctx, decl));
            name.map_or(String::new(), |n| {
                CStr::from_ptr(Z3_get_symbol_string(ctx, n))
                    .to_string_lossy()
                    .into_owned()
            })
        }
    }

    /// A number's text: decimal, for rationals with a slash.
    pub fn number(&self) -> Option<String> {
        // SAFETY: only numerals are asked for their text, which is copied before the next call.
        unsafe {
            if Z3_get_ast_kind(self.raw.ctx, self.ast) != AstKind::Numeral {
                return None;
            }
            let text = Z3_get_numeral_string(self.raw.ctx, self.ast);
            Some(CStr::from_ptr(text).to_string_lossy().into_owned())
        }
    }

    pub fn truth(&self) -> Option<bool> {
        // SAFETY: the object is alive.
        match unsafe { Z3_get_bool_value(self.raw.ctx, self.ast) } {
            Z3_L_TRUE => Some(true),
            Z3_L_FALSE => Some(false),
            _ => None,
        }
    }

    /// The width of a bit vector.
    pub fn width(&self) -> Option<u32> {
        // SAFETY: the object is alive, and so is its sort.
        unsafe {
            let sort = Z3_get_sort(self.raw.ctx, self.ast)?;
            (Z3_get_sort_kind(self.raw.ctx, sort) == SortKind::Bv)
                .then(|| Z3_get_bv_sort_size(self.raw.ctx, sort))
        }
    }

    pub fn is_nan(&self) -> bool {
        // SAFETY: the question is asked of float numerals only.
        unsafe { Z3_fpa_is_numeral(self.raw.ctx, self.ast) && Z3_fpa_is_numeral_nan(self.raw.ctx, self.ast) }
    }
}

struct Params {
    context: Context,
    raw: Z3_params,
}

impl Drop for Params {
    fn drop(&mut self) {
        // SAFETY: counted once in `new`.
        unsafe { Z3_params_dec_ref(self.context.0.ctx, self.raw) }
    }
}

impl Params {
    fn new(context: &Context) -> Result<Params> {
        // SAFETY: counted before the next call.
        unsafe {
            let raw = Z3_mk_params(context.0.ctx).ok_or_else(|| context.error())?;
            Z3_params_inc_ref(context.0.ctx, raw);
            Ok(Params {
                context: context.clone(),
                raw,
            })
        }
    }

    fn number(&self, name: &str, value: u32) -> Result<()> {
        let name = self.context.symbol(name)?;
        // SAFETY: all alive.
        unsafe { Z3_params_set_uint(self.context.0.ctx, self.raw, name, value) };
        Ok(())
    }

    fn truth(&self, name: &str, value: bool) -> Result<()> {
        let name = self.context.symbol(name)?;
        // SAFETY: all alive.
        unsafe { Z3_params_set_bool(self.context.0.ctx, self.raw, name, value) };
        Ok(())
    }

    fn symbol(&self, name: &str, value: &str) -> Result<()> {
        let (name, value) = (self.context.symbol(name)?, self.context.symbol(value)?);
        // SAFETY: all alive.
        unsafe { Z3_params_set_symbol(self.context.0.ctx, self.raw, name, value) };
        Ok(())
    }
}

pub enum Outcome {
    Sat,
    Unsat,
    Unknown(String),
}

/// A solver of a context.
pub struct Backend {
    context: Context,
    raw: Z3_solver,
}

impl Drop for Backend {
    fn drop(&mut self) {
        // SAFETY: counted once in `new`.
        without_memory_limit(|| unsafe { Z3_solver_dec_ref(self.context.0.ctx, self.raw) });
    }
}

impl Backend {
    /// An incremental solver; `logic` chooses a specialised one.
    pub fn new(context: &Context, logic: Option<&str>) -> Result<Backend> {
        let logic = logic.map(|name| context.symbol(name)).transpose()?;
        // SAFETY: counted before the next call.
        unsafe {
            let solver = match logic {
                Some(name) => Z3_mk_solver_for_logic(context.0.ctx, name),
                None => Z3_mk_simple_solver(context.0.ctx),
            };
            let raw = solver.ok_or_else(|| context.error())?;
            Z3_solver_inc_ref(context.0.ctx, raw);
            Ok(Backend {
                context: context.clone(),
                raw,
            })
        }
    }

    /// A solver that applies tactics, one after the other; the last must decide.
    pub fn of_tactics(context: &Context, names: &[&str]) -> Result<Backend> {
        let ctx = context.0.ctx;
        let mut made: Vec<Z3_tactic> = Vec::new();
        // SAFETY: each tactic is counted when made and released below on every way out; the solver keeps its own.
        let solver = unsafe {
            let mut count = |tactic: Option<Z3_tactic>| {
                let tactic = tactic.ok_or_else(|| context.error())?;
                Z3_tactic_inc_ref(ctx, tactic);
                made.push(tactic);
                Ok(tactic)
            };
            let mut chain: Result<Option<Z3_tactic>> = Ok(None);
            for name in names {
                let name = c_string(name);
                chain = chain.and_then(|before| {
                    let next = count(Z3_mk_tactic(ctx, name.as_ptr()))?;
                    match before {
                        Some(before) => count(Z3_tactic_and_then(ctx, before, next)).map(Some),
                        None => Ok(Some(next)),
                    }
                });
            }
            chain.and_then(|chain| {
                let tactic = chain.ok_or_else(|| Z3Error("no tactics".to_owned()))?;
                let solver = Z3_mk_solver_from_tactic(ctx, tactic).ok_or_else(|| context.error())?;
                Z3_solver_inc_ref(ctx, solver);
                Ok(solver)
            })
        };
        for tactic in made {
            // SAFETY: counted once above.
            unsafe { Z3_tactic_dec_ref(ctx, tactic) };
        }
        Ok(Backend {
            context: context.clone(),
            raw: solver?,
        })
    }

    /// Fixes the seed, the time limit in milliseconds (`u32::MAX` is no limit), and the limit of Z3's own count of work (0 is
    /// no limit).
    pub fn configure(&self, milliseconds: u32, effort: u32) -> Result<()> {
        let params = Params::new(&self.context)?;
        params.number("timeout", milliseconds)?;
        params.number("random_seed", 0)?;
        params.number("rlimit", effort)?;
        // SAFETY: all alive.
        unsafe { Z3_solver_set_params(self.context.0.ctx, self.raw, params.raw) };
        self.context.checked()
    }

    pub fn assert(&self, formula: &Ast) -> Result<()> {
        // SAFETY: all alive.
        unsafe { Z3_solver_assert(self.context.0.ctx, self.raw, formula.ast) };
        self.context.checked()
    }

    pub fn check(&self, assumptions: &[Ast]) -> Result<Outcome> {
        let ctx = self.context.0.ctx;
        let raw: Vec<Z3_ast> = assumptions.iter().map(|a| a.ast).collect();
        // SAFETY: all alive; the reason's text is copied before the next call.
        unsafe {
            match Z3_solver_check_assumptions(ctx, self.raw, raw.len() as u32, raw.as_ptr()) {
                Z3_L_TRUE => Ok(Outcome::Sat),
                Z3_L_FALSE => Ok(Outcome::Unsat),
                _ => {
                    self.context.checked()?;
                    let reason = CStr::from_ptr(Z3_solver_get_reason_unknown(ctx, self.raw));
                    Ok(Outcome::Unknown(reason.to_string_lossy().into_owned()))
                }
            }
        }
    }

    /// After `Unsat`: the assumptions that were used.
    pub fn core(&self) -> Result<Vec<Ast>> {
        let ctx = self.context.0.ctx;
        // SAFETY: the vector is counted while it is read, its elements at once.
        unsafe {
            let vector = Z3_solver_get_unsat_core(ctx, self.raw).ok_or_else(|| self.context.error())?;
            Z3_ast_vector_inc_ref(ctx, vector);
            let size = Z3_ast_vector_size(ctx, vector);
            let core = (0..size)
                .map(|i| self.context.wrap(Z3_ast_vector_get(ctx, vector, i)))
                .collect();
            Z3_ast_vector_dec_ref(ctx, vector);
            core
        }
    }

    /// After `Sat`.
    pub fn model(&self) -> Result<Model> {
        let ctx = self.context.0.ctx;
        // SAFETY: counted before the next call.
        unsafe {
            let raw = Z3_solver_get_model(ctx, self.raw).ok_or_else(|| self.context.error())?;
            Z3_model_inc_ref(ctx, raw);
            Ok(Model {
                context: self.context.clone(),
                raw,
            })
        }
    }
}

/// An optimiser of a context: formulas that must hold, and formulas that should, each with what it costs where it does not.
pub struct Optimiser {
    context: Context,
    raw: Z3_optimize,
}

impl Drop for Optimiser {
    fn drop(&mut self) {
        // SAFETY: counted once in `new`.
        without_memory_limit(|| unsafe { Z3_optimize_dec_ref(self.context.0.ctx, self.raw) });
    }
}

impl Optimiser {
    pub fn new(context: &Context, milliseconds: u32) -> Result<Optimiser> {
        // SAFETY: counted before the next call; all alive.
        unsafe {
            let raw = Z3_mk_optimize(context.0.ctx).ok_or_else(|| context.error())?;
            Z3_optimize_inc_ref(context.0.ctx, raw);
            let optimiser = Optimiser {
                context: context.clone(),
                raw,
            };
            let params = Params::new(context)?;
            params.number("timeout", milliseconds)?;
            Z3_optimize_set_params(context.0.ctx, raw, params.raw);
            context.checked()?;
            Ok(optimiser)
        }
    }

    pub fn assert(&self, formula: &Ast) -> Result<()> {
        // SAFETY: all alive.
        unsafe { Z3_optimize_assert(self.context.0.ctx, self.raw, formula.ast) };
        self.context.checked()
    }

    pub fn prefer(&self, formula: &Ast, weight: u64) -> Result<()> {
        let weight = c_string(&weight.to_string());
        // SAFETY: all alive; the text is copied by the call.
        unsafe { Z3_optimize_assert_soft(self.context.0.ctx, self.raw, formula.ast, weight.as_ptr(), None) };
        self.context.checked()
    }

    pub fn check(&self) -> Result<Outcome> {
        let ctx = self.context.0.ctx;
        // SAFETY: all alive; there are no assumptions; the reason's text is copied before the next call.
        unsafe {
            match Z3_optimize_check(ctx, self.raw, 0, std::ptr::null()) {
                Z3_L_TRUE => Ok(Outcome::Sat),
                Z3_L_FALSE => Ok(Outcome::Unsat),
                _ => {
                    self.context.checked()?;
                    let reason = CStr::from_ptr(Z3_optimize_get_reason_unknown(ctx, self.raw));
                    Ok(Outcome::Unknown(reason.to_string_lossy().into_owned()))
                }
            }
        }
    }

    /// After `Sat`: a best one.
    pub fn model(&self) -> Result<Model> {
        let ctx = self.context.0.ctx;
        // SAFETY: counted before the next call.
        unsafe {
            let raw = Z3_optimize_get_model(ctx, self.raw).ok_or_else(|| self.context.error())?;
            Z3_model_inc_ref(ctx, raw);
            Ok(Model {
                context: self.context.clone(),
                raw,
            })
        }
    }
}

pub struct Model {
    context: Context,
    raw: Z3_model,
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: counted once when made.
        unsafe { Z3_model_dec_ref(self.context.0.ctx, self.raw) }
    }
}

impl Model {
    /// The value of an expression; what the model leaves open gets some value.
    pub fn eval(&self, expression: &Ast) -> Result<Ast> {
        let ctx = self.context.0.ctx;
        let mut value = None;
        // SAFETY: all alive; the result is counted at once.
        unsafe {
            let found = Z3_model_eval(
                ctx,
                self.raw,
                expression.ast,
                true,
                &mut value as *mut _ as *mut Z3_ast,
            );
            self.context.wrap(if found { value } else { None })
        }
    }

    /// A formula over the other constants that this model satisfies and that implies that the bound ones exist.
    pub fn project(&self, bound: &[Ast], body: &Ast) -> Result<Ast> {
        let ctx = self.context.0.ctx;
        // SAFETY: constants are applications; all alive; the result is counted at once.
        unsafe {
            let apps: Option<Vec<Z3_app>> = bound.iter().map(|b| Z3_to_app(ctx, b.ast)).collect();
            let apps = apps.ok_or_else(|| self.context.error())?;
            self.context.wrap(Z3_qe_model_project(
                ctx,
                self.raw,
                apps.len() as u32,
                apps.as_ptr(),
                body.ast,
            ))
        }
    }

    /// The table of an array that the model gives as a function: entries and the value elsewhere.
    pub fn function_of(&self, array: &Ast) -> Option<(Vec<(Ast, Ast)>, Ast)> {
        let ctx = self.context.0.ctx;
        // SAFETY: interpretation and entries are counted while read; what is returned is counted at once.
        unsafe {
            if !Z3_is_as_array(ctx, array.ast) {
                return None;
            }
            let decl = Z3_get_as_array_func_decl(ctx, array.ast)?;
            let function = Z3_model_get_func_interp(ctx, self.raw, decl)?;
            Z3_func_interp_inc_ref(ctx, function);
            let read = || {
                let mut entries = Vec::new();
                for index in 0..Z3_func_interp_get_num_entries(ctx, function) {
                    let entry = Z3_func_interp_get_entry(ctx, function, index)?;
                    Z3_func_entry_inc_ref(ctx, entry);
                    let at = self.context.wrap(Z3_func_entry_get_arg(ctx, entry, 0));
                    let value = self.context.wrap(Z3_func_entry_get_value(ctx, entry));
                    Z3_func_entry_dec_ref(ctx, entry);
                    entries.push((at.ok()?, value.ok()?));
                }
                let default = self.context.wrap(Z3_func_interp_get_else(ctx, function)).ok()?;
                Some((entries, default))
            };
            let table = read();
            Z3_func_interp_dec_ref(ctx, function);
            table
        }
    }
}

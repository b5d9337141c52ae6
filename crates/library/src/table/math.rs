//! math.h, complex.h, fenv.h. Each name also has an `f` and an `l` at its end.

pub const ROWS: &str = r#"
fabs            .       -> = ; is abs
floor           .       -> = ; is down
ceil            .       -> = ; is up
trunc           .       -> = ; is toward-zero
round           .       -> = ; is away
roundeven       .       -> = ; is even
rint            .       -> = ; is even
nearbyint       .       -> = ; is even
lround,llround  .       -> = ; errno ; is away
lrint,llrint    .       -> = ; errno ; is even
fmod            . .     -> = ; errno
remainder,drem  . .     -> = ; errno
remquo          . . w:o -> = ; errno
copysign        . .     -> = ; is copy-sign
fmin            . .     -> = ; is least
fmax            . .     -> = ; is greatest
fdim            . .     -> = ; errno ; is difference
fma             . . .   -> = ; errno
nextafter       . .     -> = ; errno
nexttoward      . .     -> = ; errno
frexp           . w:o   -> =
modf            . w:o   -> =
ldexp,scalbn,scalbln . . -> = ; errno
scalb           . .     -> = ; errno
logb            .       -> = ; errno
ilogb           .       -> = ; errno
significand     .       -> =
nan             r:s     -> =
sqrt            .       -> = ; errno
cbrt            .       -> =
exp             .       -> = ; errno
exp2            .       -> = ; errno
exp10,pow10     .       -> = ; errno
expm1           .       -> = ; errno
log             .       -> = ; errno
log2            .       -> = ; errno
log10           .       -> = ; errno
log1p           .       -> = ; errno
sin             .       -> = ; errno
cos             .       -> = ; errno
tan             .       -> = ; errno
asin            .       -> = ; errno
acos            .       -> = ; errno
atan            .       -> = ; errno
sinh            .       -> = ; errno
cosh            .       -> = ; errno
tanh            .       -> = ; errno
asinh           .       -> = ; errno
acosh           .       -> = ; errno
atanh           .       -> = ; errno
sincos          . w:o w:o -> void ; errno
pow             . .     -> = ; errno
atan2           . .     -> = ; errno
hypot           . .     -> = ; errno
erf             .       -> = ; errno
erfc            .       -> = ; errno
tgamma          .       -> = ; errno
lgamma,gamma    .       -> = ; errno ; globals signgam
lgamma_r        . w:o   -> = ; errno
j0,j1,y0,y1     .       -> = ; errno
jn,yn           . .     -> = ; errno
isnan,__isnan   .       -> = ; is nan
isinf,__isinf   .       -> = ; is infinite
isinf_sign      .       -> = ; is infinite ; builtin
finite,isfinite,__finite . -> = ; is finite
isnormal        .       -> = ; is normal
signbit,__signbit .     -> = ; is sign
issignaling,__issignaling . -> =
__fpclassify    .       -> = ; is float-class
huge_val,inf            -> = ; builtin
creal           .       -> =
cimag           .       -> =
cabs            .       -> = ; errno
carg            .       -> = ; errno
"#;

/// Without a suffix for the format.
pub const PLAIN_ROWS: &str = r#"
fpclassify      . . . . . . -> =
isless,islessequal,isgreater,isgreaterequal,islessgreater,isunordered . . -> =
feclearexcept,feraiseexcept,fetestexcept . -> . ; quiet
# To the nearest: what would change it is unsupported.
fegetround -> 0..0 ; quiet
fesetround . -> unsupported another way of rounding
fegetenv,feholdexcept,fegetexceptflag w:o . -> . ; quiet
fesetexceptflag . . -> . ; quiet
fesetenv,feupdateenv . -> unsupported another way of rounding
"#;

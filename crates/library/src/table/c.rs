//! ISO C without floating-point mathematics, and the GNU and BSD functions beside them.

pub const ROWS: &str = r#"
# string.h, strings.h: memory
memcpy          w:#2 r:#2 .             -> 0 ; copies 0 1 ; is copy
memmove         w:#2 r:#2 .             -> 0 ; copies 0 1 ; is copy
mempcpy         w:#2 r:#2 .             -> @0 ; copies 0 1 ; is copy
memccpy         w:#3 r:#3 . .           -> @0? ; copies 0 1
bcopy           r:#2 w:#2 .             -> void ; copies 1 0 ; is copy
memset          w:#2 . .                -> 0 ; is fill
memset_explicit w:#2 . .                -> 0 ; is fill
bzero,explicit_bzero w:#1 .             -> void ; is zero
swab            r:#2 w:#2 .             -> void ; copies 1 0
memcmp          r:#2 r:#2 .             -> = ; is compare bytes
bcmp            r:#2 r:#2 .             -> = ; is compare bytes
memchr          r:#2 . .                -> @0? ; is find bytes
memrchr         r:#2 . .                -> @0?
rawmemchr       r . .                   -> @0
memmem          r:#1 . r:#3 .           -> @0?
memfrob         rw:#1 .                 -> 0

# string.h, strings.h: strings
strlen          r:s                     -> = ; is length
strnlen         r .                     -> =
strcpy          w:s r:s                 -> 0
strncpy         w:#2 r .                -> 0
strcat          rw:s r:s                -> 0
strncat         rw:s r .                -> 0
stpcpy          w:s r:s                 -> @0
stpncpy         w:#2 r .                -> @0
strlcpy         w:#2 r:s .              -> =
strlcat         rw:#2 r:s .             -> =
strcmp          r:s r:s                 -> = ; is compare strings
strcoll         r:s r:s                 -> =
strncmp         r r .                   -> = ; is compare strings
strcasecmp      r:s r:s                 -> =
strncasecmp     r r .                   -> =
strverscmp      r:s r:s                 -> =
strxfrm         w:#2 r:s .              -> =
strchr,index    r:s .                   -> @0? ; is find strings
strrchr,rindex  r:s .                   -> @0?
strchrnul       r:s .                   -> @0
strstr          r:s r:s                 -> @0?
strcasestr      r:s r:s                 -> @0?
strnstr         r r:s .                 -> @0?
strpbrk         r:s r:s                 -> @0?
strspn          r:s r:s                 -> =
strcspn         r:s r:s                 -> =
strtok          rw:s r:s                -> kept(token)? ; keeps 0 token ; own token ; quiet
strtok_r,__strtok_r rw:s r:s rw:o       -> @*2? ; stores 2 @0 ; deep 2 ; quiet
strsep          rw:o r:s                -> @*0? ; stores 0 @*0 ; deep 0 ; quiet
strdup,__strdup r:s                     -> new:*
strndup,__strndup r .                   -> new:*
strdupa         r:s                     -> new:* ; sure
strerror        .                       -> own(error) ; own error
strerror_l      . .                     -> own(error) ; own error
strsignal       .                       -> own(error) ; own error
strerror_r      . w .                   -> own(error) ; keeps 1 error
__xpg_strerror_r . w .                  -> .
basename,__xpg_basename rw:s            -> own(path) ; keeps 0 path
dirname         rw:s                    -> own(path) ; keeps 0 path
ffs,ffsl,ffsll  .                       -> =

# ctype.h
isalpha         .                       -> = ; is class A-Z,a-z
isdigit         .                       -> = ; is class 0-9
isalnum         .                       -> = ; is class 0-9,A-Z,a-z
isspace         .                       -> = ; is class 9-13,32-32
isupper         .                       -> = ; is class A-Z
islower         .                       -> = ; is class a-z
isxdigit        .                       -> = ; is class 0-9,A-F,a-f
ispunct         .                       -> = ; is class 33-47,58-64,91-96,123-126
isprint         .                       -> = ; is class 32-126
isgraph         .                       -> = ; is class 33-126
iscntrl         .                       -> = ; is class 0-31,127-127
isblank         .                       -> = ; is class 9-9,32-32
isascii         .                       -> =
toascii         .                       -> =
tolower         .                       -> = ; is case A-Z 32
toupper         .                       -> = ; is case a-z -32
__ctype_b_loc                           -> own(character classes) ; quiet
__ctype_tolower_loc                     -> own(lower case) ; quiet
__ctype_toupper_loc                     -> own(upper case) ; quiet
__ctype_get_mb_cur_max                  -> 1..16 ; quiet

# stdlib.h: numbers
abs,labs,llabs,imaxabs .                -> = ; is abs
div,ldiv,lldiv,imaxdiv . .              -> =
# Out of range they are undefined in C; the usual libraries say so in `errno`.
atoi,atol,atoll r:s                     -> = ; errno
atof            r:s                     -> = ; errno
strtol,strtoll,strtoimax,strtoq r:s nw:o . -> = ; stores 1 @0 ; errno
strtoul,strtoull,strtoumax,strtouq r:s nw:o . -> = ; stores 1 @0 ; errno
strtod,strtof,strtold r:s nw:o          -> = ; stores 1 @0 ; errno
rand,random,lrand48                     -> 0..2147483647 ; quiet
rand_r          rw:o                    -> 0..2147483647 ; quiet
mrand48                                 -> . ; quiet
drand48                                 -> . ; quiet
erand48,jrand48 rw:6                    -> . ; quiet
nrand48         rw:6                    -> 0..2147483647 ; quiet
srand,srandom,srand48 .                 -> void
random_r,srandom_r,initstate_r,setstate_r,drand48_r,lrand48_r,srand48_r ... -> unsupported generators of random numbers with a state of their own
lcong48,seed48  r                       -> .
ecvt,fcvt       . . w:o w:o             -> own(digits) ; own digits
gcvt            . . w                   -> 2
a64l            r:s                     -> =
l64a            .                       -> own(digits) ; own digits
initstate       . k .                   -> own(random)?
setstate        k                       -> own(random)?
arc4random                              -> . ; quiet
arc4random_uniform .                    -> . ; quiet
arc4random_buf  w:#1 .                  -> void

# stdlib.h: memory
malloc          .                       -> new:#0
valloc,pvalloc  .                       -> new:#0
calloc          . .                     -> zero:#0*#1
realloc         rf .                    -> resized(0):#1
reallocarray    rf . .                  -> resized(0):#1*#2
reallocf        rf .                    -> resized(0):#1
free,cfree      f                       -> void
free_sized      f .                     -> void
free_aligned_sized f . .                -> void
aligned_alloc,memalign . .              -> new:#1
posix_memalign  w:o . .                 -> 0..4095 ; stores 0 new ; quiet
malloc_usable_size .                    -> =
alloca          .                       -> new:#0 ; is stack
alloca_with_align . .                   -> new:#0 ; is stack ; builtin
# variables of recursive functions, which no program calls
frame$new       .                       -> new:#0 ; sure
frame$done      f                       -> void
mallopt         . .                     -> . ; quiet
malloc_trim     .                       -> . ; quiet

# stdlib.h: the end and what runs there
abort                                   -> void ; ends abort ; reserved
exit            .                       -> void ; ends exit ; reserved
_exit,_Exit     .                       -> void ; ends now ; reserved
quick_exit      .                       -> void ; ends quick ; reserved
atexit          .                       -> . ; registers exit 0 ; quiet
on_exit         . .                     -> . ; registers exit 0(1) ; quiet
at_quick_exit   .                       -> . ; registers quick_exit 0 ; quiet
__cxa_atexit    . . .                   -> . ; registers exit 0(1) ; quiet
trap                                    -> void ; ends abort ; builtin
unreachable                             -> void ; ends never ; builtin

# stdlib.h: searching and sorting, the environment
qsort           rw:#1*#2 . . .          -> void ; calls 3(@0,@0)
qsort_r         rw:#1*#2 . . . .        -> void ; calls 3(@0,@0,4)
heapsort,mergesort rw:#1*#2 . . .       -> . ; calls 3(@0,@0)
bsearch         r r:#2*#3 . . .         -> @1? ; calls 4(0,@1)
lfind           r r r:o . .             -> @1? ; calls 4(0,@1)
lsearch         r rw rw:o . .           -> @1 ; calls 4(0,@1)
tsearch         . . .                   -> unsupported search trees
tfind           . . .                   -> unsupported search trees
tdelete         . . .                   -> unsupported search trees
twalk           . .                     -> unsupported search trees
tdestroy        . .                     -> unsupported search trees
hsearch,hcreate,hdestroy . .            -> unsupported hash tables of the library
hsearch_r       . . . .                 -> unsupported hash tables of the library
insque          . .                     -> unsupported lists of the library
remque          .                       -> unsupported lists of the library
getenv,secure_getenv r:s                -> own(environment)?
setenv          r:s r:s .               -> -1..0 ; own environment
unsetenv        r:s                     -> -1..0 ; own environment
putenv          r:s                     -> . ; keeps 0 environment ; own environment
clearenv                                -> .
system          r:s                     -> .

# stdio.h: streams
fopen,fopen64   r:s r:s                 -> own(stream)?
freopen,freopen64 r:s r:s .             -> own(stream)?
fdopen          . r:s                   -> own(stream)?
popen           r:s r:s                 -> own(stream)?
tmpfile,tmpfile64                       -> own(stream)?
fmemopen        k . r:s                 -> unsupported streams into memory
open_memstream  . .                     -> unsupported streams into memory
open_wmemstream . .                     -> unsupported streams into memory
fopencookie     . . .                   -> unsupported streams of functions
fclose          .                       -> -1..0
pclose          .                       -> .
fflush          .                       -> -1..0
setbuf          . k                     -> void ; errno
setbuffer       . k .                   -> void ; errno
setlinebuf      .                       -> void ; errno
setvbuf         . k . .                 -> .
fread           i:#1*#2 . . .           -> 0.. ; most #2 ; chk 1
fwrite          r:#1*#2 . . .           -> 0.. ; most #2
fgetc,getc,_IO_getc .                   -> -1..255
getchar                                 -> -1..255
fgets           i:#1 . .                -> 0? ; errno ; chk 1
gets            w                       -> 0? ; errno
fputc,putc,_IO_putc . .                 -> -1..255
putchar         .                       -> -1..255
puts            r:s                     -> -1..
fputs           r:s .                   -> -1..
ungetc          . .                     -> -1..255
getw            .                       -> .
putw            . .                     -> .
getline,__getline rw:o rw:o .           -> -1.. ; stores 0 new ; deep 0
getdelim,__getdelim rw:o rw:o . .       -> -1.. ; stores 0 new ; deep 0
fseek,fseeko    . . .                   -> -1..0
ftell,ftello    .                       -> -1..
rewind          .                       -> void ; errno
fgetpos         . w:o                   -> .
fsetpos         . r:o                   -> .
feof,ferror     .                       -> . ; quiet
clearerr        .                       -> void
fileno          .                       -> -1..
perror          r:s                     -> void ; errno
remove          r:s                     -> -1..0
rename          r:s r:s                 -> -1..0
tmpnam          w                       -> own(name)? ; keeps 0 name ; own name
tempnam         r:s r:s                 -> new?:*
mktemp          rw:s                    -> 0 ; errno
mkstemp,mkostemp rw:s                   -> -1..
mkstemps        rw:s .                  -> -1..
mkdtemp         rw:s                    -> 0? ; errno
flockfile       .                       -> void
funlockfile     .                       -> void
ftrylockfile    .                       -> .

# stdio.h: formats
printf          t ...r                  -> -1.. ; chk 0
fprintf         . t ...r                -> -1.. ; chk 1
dprintf         . t ...r                -> -1.. ; chk 1
sprintf         w t ...r                -> = ; chk 1,2
snprintf        w:#1 . t ...r           -> = ; chk 2,3
asprintf        w:o t ...r              -> -1.. ; stores 0 new ; chk 1
vprintf         t .                     -> -1.. ; chk 0
vfprintf        . t .                   -> -1.. ; chk 1
vdprintf        . t .                   -> -1.. ; chk 1
vsprintf        w t .                   -> = ; chk 1,2
vsnprintf       w:#1 . t .              -> = ; chk 2,3
vasprintf       w:o t .                 -> -1.. ; stores 0 new ; chk 1
scanf           s ...w:o                -> -1..
fscanf          . s ...w:o              -> -1..
sscanf          r:s s ...w:o            -> =
vscanf          s .                     -> -1..
vfscanf         . s .                   -> -1..
vsscanf         r:s s .                 -> =

# stdarg.h
va_start,c23_va_start w                 -> void
va_arg          rw                      -> vararg ; quiet
va_end          .                       -> void
va_copy,__va_copy w r                   -> void ; copies 0 1

# time.h
time            nw:o                    -> .
clock                                   -> -1..
difftime        . .                     -> =
mktime,timegm,timelocal rw:o            -> . ; globals timezone,daylight
localtime,gmtime r:o                    -> own(tm)? ; own tm ; globals timezone,daylight
localtime_r,gmtime_r r:o w:o            -> 1? ; errno
asctime         r:o                     -> own(time)? ; own time
ctime           r:o                     -> own(time)? ; own time
asctime_r,ctime_r r:o w                 -> 1? ; errno
strftime        w:#1 . r:s r:o          -> 0.. ; most #1
strftime_l      w:#1 . r:s r:o .        -> 0.. ; most #1
strptime        r:s r:s rw:o            -> @0? ; errno
timespec_get    w:o .                   -> .

# signal.h, setjmp.h, errno.h, locale.h, assert.h
signal,bsd_signal,sysv_signal,__sysv_signal . . -> own(handler)? ; registers signal 1
raise           .                       -> . ; may end
setjmp,_setjmp,__sigsetjmp,sigsetjmp .  -> unsupported setjmp
longjmp,_longjmp,siglongjmp . .         -> void ; ends jump ; unsupported longjmp
__stack_chk_fail,__chk_fail             -> void ; ends abort ; reserved
__overflow,__uflow . ...                -> -1..255
__errno_location                        -> own(errno) ; quiet
setlocale       . r:s                   -> own(locale)?
localeconv                              -> own(lconv)
__assert_fail   r:s r:s . r:s           -> void ; ends error ; reserved
__assert        r:s r:s .               -> void ; ends error ; reserved
__assert_perror_fail . r:s . r:s        -> void ; ends error ; reserved
thrd_create     . . .                   -> unsupported threads (thrd_create)
thrd_exit       .                       -> void ; ends thread ; reserved
call_once       . .                     -> void ; calls 1()
tss_create      w:o .                   -> . ; registers thread 1
mtx_init,mtx_lock,mtx_unlock,mtx_trylock,cnd_init,cnd_signal,cnd_broadcast . . -> . ; quiet

# gcc's builtins without a library function
prefetch        . ...r                  -> void ; builtin
__sync_synchronize,__clear_cache        -> void
__atomic_thread_fence,__atomic_signal_fence . -> void
return_address,frame_address .          -> . ; builtin
clz,clzl,clzll,ctz,ctzl,ctzll,popcount,popcountl,popcountll,parity,parityl,parityll,clrsb,clrsbl,clrsbll . -> = ; builtin
bswap16,bswap32,bswap64 .               -> = ; builtin
object_size     . .                     -> . ; builtin
"#;

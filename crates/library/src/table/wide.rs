//! Wide and multibyte characters.

pub const ROWS: &str = r#"
wcslen          r               -> =
wcsnlen         r .             -> =
wcscpy          w r             -> 0
wcsncpy         w r .           -> 0
wcscat          rw r            -> 0
wcsncat         rw r .          -> 0
wcpcpy          w r             -> @0
wcpncpy         w r .           -> @0
wcscmp,wcscoll  r r             -> =
wcsncmp         r r .           -> =
wcscasecmp      r r             -> =
wcschr          r .             -> @0?
wcsrchr         r .             -> @0?
wcsstr          r r             -> @0?
wcspbrk         r r             -> @0?
wcsspn          r r             -> =
wcscspn         r r             -> =
wcstok          rw r rw:o       -> @*2? ; stores 2 @0 ; deep 2
wcsdup          r               -> new:*
wmemcpy,wmemmove w r .          -> 0 ; copies 0 1
wmempcpy        w r .           -> @0 ; copies 0 1
wmemset         w . .           -> 0
wmemcmp         r r .           -> =
wmemchr         r . .           -> @0?
wcsxfrm         w r .           -> =
wcstol,wcstoll,wcstoul,wcstoull r w:o . -> = ; stores 1 @0 ; errno
wcstod,wcstof,wcstold r w:o     -> = ; stores 1 @0 ; errno
iswalpha,iswdigit,iswalnum,iswspace,iswupper,iswlower,iswxdigit,iswpunct,iswprint,iswgraph,iswcntrl,iswblank . -> =
towlower,towupper .             -> =
wctype,wctrans  r:s             -> .
iswctype,towctrans . .          -> .
btowc,wctob     .               -> .
mblen           r .             -> .
mbtowc          w:o r .         -> .
wctomb          w .             -> .
mbstowcs        w r .           -> .
wcstombs        w r .           -> .
mbrlen          r . rw:o        -> .
mbrtowc         w:o r . rw:o    -> .
wcrtomb         w . rw:o        -> .
mbsrtowcs       w rw:o . rw:o   -> . ; stores 1 @*1
wcsrtombs       w rw:o . rw:o   -> . ; stores 1 @*1
mbsnrtowcs,wcsnrtombs w rw:o . . rw:o -> . ; stores 1 @*1
wcwidth,wcswidth r .            -> .
mbsinit         r               -> .
fgetwc,getwc    .               -> .
getwchar                        -> .
fputwc,putwc    . .             -> .
putwchar        .               -> .
fgetws          w . .           -> 0? ; errno ; chk 1
fputws          r .             -> .
ungetwc         . .             -> .
fwide           . .             -> .
wprintf         t ...rw         -> . ; chk 0
fwprintf        . t ...rw       -> . ; chk 1
swprintf        w . t ...rw     -> . ; chk 2,3
vwprintf        t .             -> . ; chk 0
vfwprintf       . t .           -> . ; chk 1
vswprintf       w . t .         -> . ; chk 2,3
wscanf          s ...w          -> .
fwscanf         . s ...w        -> .
swscanf         r s ...w        -> .
wcsftime        w . r r:o       -> .
"#;

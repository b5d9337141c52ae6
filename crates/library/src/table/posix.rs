//! POSIX and the system calls of Linux.

pub const ROWS: &str = r#"
# unistd.h, fcntl.h, sys/uio.h
open,open64,creat,creat64 r:s ...       -> -1..
openat,openat64 . r:s ...               -> -1..
close           .                       -> -1..0
read            . i:#2 .                -> -1.. ; most #2
pread,pread64   . w:#2 . .              -> -1.. ; most #2
readv,preadv,preadv2 . ...r             -> unsupported scattered input
write           . r:#2 .                -> -1.. ; most #2
pwrite          . r:#2 . .              -> -1.. ; most #2
writev,pwritev  . r . .                 -> -1..
lseek           . . .                   -> -1..
pipe            w:8                     -> -1..0
pipe2           w:8 .                   -> -1..0
dup             .                       -> -1..
dup2            . .                     -> -1..
dup3            . . .                   -> -1..
fcntl           . . w                   -> .
ioctl           . . w                   -> . ; deep 2
fsync,fdatasync .                       -> -1..0
sync                                    -> void
ftruncate       . .                     -> -1..0
truncate        r:s .                   -> -1..0
access          r:s .                   -> -1..0
faccessat       . r:s . .               -> -1..0
unlink,rmdir,chdir,chroot r:s           -> -1..0
unlinkat        . r:s .                 -> -1..0
link,symlink    r:s r:s                 -> -1..0
readlink        r:s w:#2 .              -> -1.. ; most #2
readlinkat      . r:s w:#3 .            -> -1.. ; most #3
realpath        r:s w                   -> own(path)? ; keeps 1 path
canonicalize_file_name r:s              -> new?:*
getcwd          w:#1 .                  -> own(directory)? ; keeps 0 directory
getwd           w                       -> 0? ; errno
get_current_dir_name                    -> new?:*
chmod           r:s .                   -> -1..0
fchmod          . .                     -> -1..0
chown,lchown    r:s . .                 -> -1..0
fchown          . . .                   -> -1..0
isatty          .                       -> 0..1
ttyname         .                       -> own(terminal)? ; own terminal
ttyname_r       . w .                   -> .
sleep           .                       -> 0.. ; quiet
usleep          .                       -> -1..0
pause                                   -> -1..-1
alarm           .                       -> 0.. ; quiet
getpid,gettid                           -> 1.. ; quiet ; constant
getppid                                 -> 1.. ; quiet
getuid,geteuid,getgid,getegid           -> . ; quiet
setuid,setgid,seteuid,setegid .         -> -1..0
getgroups       . w                     -> -1..
getpgrp,getpgid,setsid,setpgid,getsid . . -> .
gethostname,getdomainname w:#1 .        -> -1..0
sethostname     r .                     -> -1..0
getlogin                                -> own(login)? ; own login
getlogin_r      w:#1 .                  -> .
getopt          . rw r:s                -> -1.. ; globals optind,optopt,optarg=@*1
getopt_long,getopt_long_only . rw r:s r w:o -> unsupported options with long names
sysconf         .                       -> .
pathconf        r:s .                   -> .
confstr         . w:#2 .                -> 0..
nice            .                       -> .
fork                                    -> unsupported processes (fork)
vfork                                   -> unsupported processes (vfork)
clone           . ...r                  -> unsupported processes (clone)
execv,execve,execvp,execvpe,execl,execlp,execle,fexecve r:s ...r -> -1..-1
crypt           r:s r:s                 -> own(crypt)?
getpass         r:s                     -> own(password)?
ctermid         w                       -> own(terminal)? ; keeps 0 terminal
daemon          . .                     -> -1..0
syscall         ...w                    -> .
getentropy,getrandom w:#1 . .           -> -1..
mkfifo,mkdir    r:s .                   -> -1..0
mkdirat         . r:s .                 -> -1..0
mknod           r:s . .                 -> -1..0
umask           .                       -> 0..511 ; quiet
lockf,flock     . . .                   -> -1..0
posix_fadvise,posix_fallocate . . . .   -> .

# sys/stat.h, sys/statvfs.h, utime.h
stat,lstat      r:s w:o                 -> -1..0
fstat           . w:o                   -> -1..0
fstatat,newfstatat . r:s w:o .          -> -1..0
__xstat,__lxstat . r:s w:o              -> -1..0
__fxstat        . . w:o                 -> -1..0
statfs,statvfs  r:s w:o                 -> -1..0
fstatfs,fstatvfs . w:o                  -> -1..0
utime,utimes    r:s r                   -> -1..0
futimens        . r                     -> -1..0
utimensat       . r:s r .               -> -1..0

# dirent.h, ftw.h, glob.h, fnmatch.h
opendir         r:s                     -> own(directories)?
fdopendir       .                       -> own(directories)?
readdir,readdir64 .                     -> own(directory entry)? ; own directory entry
readdir_r       . w:o w:o               -> unsupported readdir_r
closedir        .                       -> -1..0
rewinddir       .                       -> void ; errno
dirfd           .                       -> -1..
scandir         r:s w:o . .             -> unsupported scandir
ftw,nftw        r:s . . .               -> . ; calls 1()
fts_open,fts_read,fts_close . . .       -> unsupported file hierarchies (fts)
glob            r:s . . w:o             -> unsupported glob
globfree        .                       -> void
fnmatch         r:s r:s .               -> .
wordexp         r:s w:o .               -> unsupported wordexp
regcomp         w:o r:s .               -> .
regexec         r:o r:s . w .           -> .
regerror        . r:o w .               -> 0..
regfree         .                       -> void

# sys/time.h, time.h, poll.h, sys/select.h
gettimeofday    nw:o nw:o               -> -1..0
settimeofday    r:o r:o                 -> -1..0
clock_gettime,clock_getres . w:o        -> -1..0
clock_settime   . r:o                   -> -1..0
nanosleep       r:o nw:o                -> -1..0
clock_nanosleep . . r:o w:o             -> .
getitimer       . w:o                   -> -1..0
setitimer       . r:o w:o               -> -1..0
timer_create    . r:o w:o               -> unsupported timers (timer_create)
times           w:o                     -> .
getrusage       . w:o                   -> -1..0
getrlimit       . w:o                   -> -1..0
setrlimit       . r:o                   -> -1..0
prlimit         . . r:o w:o             -> -1..0
sysinfo         w:o                     -> -1..0
uname           w:o                     -> -1..
poll            rw . .                  -> -1.. ; most #1
ppoll           rw . r r                -> -1..
select          . rw:o rw:o rw:o rw:o   -> -1..
pselect         . rw:o rw:o rw:o r r    -> -1..
epoll_create,epoll_create1 .            -> -1..
epoll_ctl       . . . r:o               -> -1..0
epoll_wait      . w . .                 -> unsupported events that carry pointers (epoll_wait)
eventfd         . .                     -> -1..
tzset                                   -> void ; globals timezone,daylight

# sys/wait.h, signal.h
wait            nw:o                    -> -1..
waitpid         . nw:o .                -> -1..
wait3           w:o . w:o               -> -1..
wait4           . w:o . w:o             -> -1..
waitid          . . w:o .               -> -1..0
kill,killpg     . .                     -> -1..0 ; may end
sigaction       . nr:o nw:o               -> -1..0 ; registers signal *1
sigemptyset,sigfillset w:o              -> -1..0
sigaddset,sigdelset rw:o .              -> -1..0
sigismember     r:o .                   -> -1..1
sigprocmask     . r:o w:o               -> -1..0
pthread_sigmask . r:o w:o               -> 0..4095
sigpending      w:o                     -> -1..0
sigsuspend      r:o                     -> -1..-1
sigwait         r:o w:o                 -> 0..4095
sigwaitinfo     r:o w:o                 -> .
sigaltstack     . w:o                   -> -1..0
siginterrupt    . .                     -> -1..0

# sys/socket.h, netdb.h, arpa/inet.h
socket          . . .                   -> -1..
socketpair      . . . w:8               -> -1..0
bind,connect    . r .                   -> -1..0
listen          . .                     -> -1..0
accept          . w rw:o                -> -1..
accept4         . w rw:o .              -> -1..
send            . r:#2 . .              -> -1.. ; most #2
sendto          . r:#2 . . r .          -> -1.. ; most #2
sendmsg         . r .                   -> -1..
recv            . i:#2 . .              -> -1.. ; most #2 ; chk 3
recvfrom        . i:#2 . . w rw:o       -> -1.. ; most #2 ; chk 3
recvmsg,recvmmsg . ...r                 -> unsupported scattered input
shutdown        . .                     -> -1..0
getsockname,getpeername . w rw:o        -> -1..0
getsockopt      . . . w rw:o            -> -1..0
setsockopt      . . . r .               -> -1..0
sendfile        . . rw:o .              -> -1.. ; most #3
htons,htonl,ntohs,ntohl .               -> =
inet_addr       r:s                     -> .
inet_aton       r:s w:o                 -> 0..1
inet_ntoa       .                       -> own(address) ; own address
inet_ntop       . r w .                 -> 2? ; errno
inet_pton       . r:s w                 -> -1..1
getaddrinfo     r:s r:s r:o w:o         -> . ; stores 3 own(addresses)
freeaddrinfo    .                       -> void
gai_strerror,hstrerror .                -> own(error)
getnameinfo     r . w . w . .           -> .
gethostbyname   r:s                     -> own(host)? ; own host
gethostbyaddr   r . .                   -> own(host)? ; own host
getservbyname   r:s r:s                 -> own(service)? ; own service
getprotobyname  r:s                     -> own(protocol)? ; own protocol
if_nametoindex  r:s                     -> 0..

# pwd.h, grp.h, syslog.h
getpwnam        r:s                     -> own(user)? ; own user
getpwuid        .                       -> own(user)? ; own user
getpwent                                -> own(user)? ; own user
getgrnam        r:s                     -> own(group)? ; own group
getgrgid        .                       -> own(group)? ; own group
getpwnam_r      r:s w:o w . w:o         -> unsupported getpwnam_r
getpwuid_r      . w:o w . w:o           -> unsupported getpwuid_r
getgrnam_r      r:s w:o w . w:o         -> unsupported getgrnam_r
getgrgid_r      . w:o w . w:o           -> unsupported getgrgid_r
setpwent,endpwent                       -> void
openlog         k . .                   -> void ; errno
syslog          . t ...r                -> void ; chk 1 ; errno
vsyslog         . t .                   -> void ; chk 1 ; errno
closelog                                -> void ; errno

# sys/mman.h, dlfcn.h, shared memory
mmap,mmap64     . . . . . .             -> own(mapping) ; own mapping
munmap,mprotect,msync,madvise,mlock,munlock . . . -> -1..0
mremap          . . . .                 -> unsupported mremap
shmget,semget,msgget . . .              -> -1..
shmat           . . .                   -> unsupported shared memory (shmat)
shmdt           .                       -> -1..0
shmctl          . . w                   -> .
semop           . r .                   -> -1..0
semctl          . . . ...w              -> .
msgrcv          . w . . .               -> -1..
msgsnd          . r . .                 -> -1..0
shm_open        r:s . .                 -> -1..
dlopen          r:s .                   -> own(code)?
dlsym           . r:s                   -> unsupported symbols looked up by name (dlsym)
dlerror                                 -> own(error)?
dlclose         .                       -> .

# pthread.h, semaphore.h
pthread_create  . . . .                 -> unsupported threads (pthread_create)
pthread_join    . nw:o                   -> . ; stores 1 new ; quiet
pthread_exit    .                       -> void ; ends thread
pthread_once    . .                     -> . ; calls 1() ; quiet
pthread_atfork  . . .                   -> . ; registers fork 0
pthread_key_create w:o .                -> . ; registers thread 1 ; quiet
pthread_setspecific . .                 -> . ; keeps 1 thread ; quiet
pthread_getspecific .                   -> kept(thread)? ; quiet
pthread_cleanup_push . .                -> unsupported cleanup handlers of threads
_pthread_cleanup_push . . .             -> unsupported cleanup handlers of threads
pthread_self,pthread_equal . .          -> . ; quiet
pthread_mutex_init,pthread_mutex_destroy,pthread_mutex_lock,pthread_mutex_trylock,pthread_mutex_unlock . . -> 0..4095 ; quiet
pthread_mutex_timedlock . r:o           -> 0..4095 ; quiet
pthread_rwlock_init,pthread_rwlock_destroy,pthread_rwlock_rdlock,pthread_rwlock_wrlock,pthread_rwlock_unlock . . -> 0..4095 ; quiet
pthread_spin_init,pthread_spin_destroy,pthread_spin_lock,pthread_spin_trylock,pthread_spin_unlock . . -> 0..4095 ; quiet
pthread_cond_init,pthread_cond_destroy,pthread_cond_signal,pthread_cond_broadcast,pthread_cond_wait . . -> 0..4095 ; quiet
pthread_cond_timedwait . . r:o          -> 0..4095 ; quiet
pthread_barrier_init,pthread_barrier_wait,pthread_barrier_destroy . . . -> -1..4095 ; quiet
pthread_attr_init,pthread_attr_destroy,pthread_mutexattr_init,pthread_mutexattr_destroy,pthread_mutexattr_settype,pthread_condattr_init . . -> 0..4095 ; quiet
pthread_attr_setdetachstate,pthread_attr_setstacksize,pthread_attr_setscope . . -> 0..4095 ; quiet
pthread_attr_getdetachstate,pthread_attr_getstacksize . w:o -> 0..4095 ; quiet
pthread_getschedparam . w:o w:o         -> 0..4095 ; quiet
pthread_setschedparam . . r:o           -> 0..4095 ; quiet
pthread_detach,pthread_cancel,pthread_kill,pthread_yield,sched_yield . . -> . ; quiet
pthread_setcancelstate,pthread_setcanceltype . w:o -> 0..4095 ; quiet
sem_init,sem_destroy,sem_post,sem_wait,sem_trywait,sem_close,sem_unlink . . . -> -1..0
sem_getvalue    . w:o                   -> -1..0
sem_open        r:s . ...               -> own(semaphore)?
makecontext     . . . ...               -> unsupported contexts (makecontext)
swapcontext     . .                     -> unsupported contexts (swapcontext)
setcontext      .                       -> unsupported contexts (setcontext)
getcontext      .                       -> unsupported contexts (getcontext)

# terminals, scheduling, messages, spawning
tcgetattr       . w:o                   -> -1..0
tcsetattr       . . r:o                 -> -1..0
tcflush,tcdrain,tcsendbreak . .         -> -1..0
cfmakeraw       rw:o                    -> void
cfsetispeed,cfsetospeed,cfsetspeed rw:o . -> -1..0
cfgetispeed,cfgetospeed r:o             -> . ; quiet
openpty         w:o w:o w r r           -> -1..0
ptsname         .                       -> own(terminal)? ; own terminal
sched_getaffinity,pthread_getaffinity_np . . w -> .
sched_getparam  . w:o                   -> .
getpriority,setpriority . . .           -> .
clock_getcpuclockid,pthread_getcpuclockid . w:o -> .
sem_timedwait   . r:o                   -> -1..0
mq_open         r:s . ...r              -> -1..
mq_receive      . w . w:o               -> -1..
mq_send         . r . .                 -> -1..0
mq_getattr      . w:o                   -> -1..0
aio_read,aio_write,lio_listio . ...     -> unsupported asynchronous input and output
posix_spawn,posix_spawnp w:o r:s . . . . -> .
sigtimedwait    r:o w:o r:o             -> .
epoll_pwait     . w . . r               -> unsupported events that carry pointers (epoll_pwait)
timerfd_create,memfd_create,signalfd,inotify_init,inotify_init1 ... -> -1..
timerfd_settime . . r:o w:o             -> -1..0
timerfd_gettime . w:o                   -> -1..0
getxattr,lgetxattr r:s r:s w:#3 .       -> -1..
fgetxattr       . r:s w:#3 .            -> -1..
listxattr       r:s w:#2 .              -> -1..
getifaddrs      w:o                     -> -1..0 ; stores 0 own(interfaces)
freeifaddrs     .                       -> void ; errno
dl_iterate_phdr . .                     -> . ; calls 0()
getauxval       .                       -> .
ftok            r:s .                   -> .
gettext,ngettext r:s ...r               -> own(text) ; keeps 0 text
dgettext        r:s r:s                 -> own(text) ; keeps 1 text
textdomain,bindtextdomain r:s ...r      -> own(text)? ; keeps 0 text
nl_langinfo     .                       -> own(locale)
getsubopt       rw:o r w:o              -> . ; deep 0 ; stores 0 @*0 ; stores 2 @*0

# err.h, error.h, argp, iconv
err,errx        . t ...r                -> void ; ends exit
verr,verrx      . t .                   -> void ; ends exit
warn,warnx      t ...r                  -> void ; errno
vwarn,vwarnx    t .                     -> void ; errno
error           . . t ...r              -> void ; may end ; errno
iconv_open      r:s r:s                 -> .
iconv           . rw:o rw:o rw:o rw:o   -> . ; deep 1 ; deep 3
iconv_close     .                       -> .
argp_parse      . . . . . .             -> unsupported argp
backtrace       w .                     -> 0.. ; most #1 ; quiet
backtrace_symbols r .                   -> own(symbols)?
"#;

//! Functions of the Linux kernel that drivers call, as far as they touch the caller's memory or allocate.

pub const ROWS: &str = r#"
kmalloc,__kmalloc,kmalloc_node,kvmalloc,kvmalloc_node . ... -> new?:#0
kzalloc,kzalloc_node,kvzalloc . ...                     -> zero?:#0
kmalloc_array,kvmalloc_array . . .                      -> new?:#0*#1
kcalloc,kvcalloc . . .                                  -> zero?:#0*#1
devm_kmalloc    . . .                                   -> new?:#1
devm_kzalloc    . . .                                   -> zero?:#1
devm_kcalloc    . . . .                                 -> zero?:#1*#2
krealloc        rf . .                                  -> resized?(0):#1
vmalloc,vmalloc_user,vmalloc_32 .                       -> new?:#0
vzalloc         .                                       -> zero?:#0
kmem_cache_alloc,kmem_cache_alloc_node . ...            -> new?:*
kmem_cache_zalloc . .                                   -> zero?:*
kmemdup         r:#1 . .                                -> new?:#1
memdup_user     . .                                     -> new?:#1
kstrdup         r:s .                                   -> new?:*
kstrndup        r . .                                   -> new?:*
kasprintf       . t ...r                                -> new?:*
kvasprintf      . t .                                   -> new?:*
kfree,kzfree,kfree_sensitive,kvfree,vfree,kfree_const f -> void
devm_kfree,kmem_cache_free . f                          -> void
g_malloc        .                                       -> new:#0 ; sure ; none null
g_malloc0       .                                       -> zero:#0 ; sure ; none null
g_free          f                                       -> void
copy_from_user,__copy_from_user,_copy_from_user,raw_copy_from_user w:#2 . . -> 0.. ; most #2 ; quiet
__copy_from_user_inatomic w:#2 . .                      -> 0.. ; most #2 ; quiet
copy_to_user,__copy_to_user,_copy_to_user,raw_copy_to_user . r:#2 . -> 0.. ; most #2 ; quiet
strncpy_from_user w:#2 . .                              -> . ; quiet
clear_user      . .                                     -> 0.. ; most #1 ; quiet
memcpy_fromio   w:#2 . .                                -> void
memcpy_toio     . r:#2 .                                -> void
memset_io       . . .                                   -> void
memzero_explicit w:#1 .                                 -> void
strscpy,strscpy_pad w:#2 r:s .                          -> . ; quiet
scnprintf       w:#1 . t ...r                           -> . ; quiet
vscnprintf      w:#1 . t .                              -> . ; quiet
kstrtoint,kstrtouint,kstrtol,kstrtoul,kstrtoll,kstrtoull r:s . w:o -> -4095..0 ; quiet
kstrtou8,kstrtou16,kstrtou32,kstrtou64,kstrtos8,kstrtos16,kstrtos32,kstrtos64 r:s . w:o -> -4095..0 ; quiet
kstrtobool      r:s w:o                                 -> -4095..0 ; quiet
simple_strtol,simple_strtoul,simple_strtoll,simple_strtoull r:s w:o . -> = ; stores 1 @0
get_random_bytes w:#1 .                                 -> void
printk,_printk  t ...r                                  -> . ; quiet
dev_err,dev_warn,dev_info,dev_notice,_dev_err,_dev_warn,_dev_info,_dev_notice . t ...r -> . ; quiet
panic           t ...r                                  -> void ; ends abort
do_exit,complete_and_exit,do_group_exit . .             -> void ; ends thread
do_gettimeofday,ktime_get_ts,ktime_get_ts64,getnstimeofday,ktime_get_real_ts64 w:o -> void
"#;

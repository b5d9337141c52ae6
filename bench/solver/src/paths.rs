pub fn run() -> bool {
    true
}

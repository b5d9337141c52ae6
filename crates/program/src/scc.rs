//! Strongly connected components (Tarjan's algorithm) with a stack of its own: graphs are as deep as programs are long.

/// The components of the graph over `0..nodes`, each after the components it leads to.
pub fn components(nodes: usize, successors: impl Fn(usize) -> Vec<usize>) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let mut order = vec![UNSEEN; nodes];
    let mut low = vec![0; nodes];
    let mut on_stack = vec![false; nodes];
    let mut stack = Vec::new();
    let mut found = Vec::new();
    let mut next = 0;
    for root in 0..nodes {
        if order[root] != UNSEEN {
            continue;
        }
        let mut frames: Vec<(usize, std::vec::IntoIter<usize>)> = Vec::new();
        let mut enter = Some(root);
        loop {
            if let Some(node) = enter.take() {
                order[node] = next;
                low[node] = next;
                next += 1;
                stack.push(node);
                on_stack[node] = true;
                frames.push((node, successors(node).into_iter()));
            }
            let Some((node, pending)) = frames.last_mut() else {
                break;
            };
            let node = *node;
            match pending.next() {
                Some(successor) if order[successor] == UNSEEN => enter = Some(successor),
                Some(successor) => {
                    if on_stack[successor] {
                        low[node] = low[node].min(order[successor]);
                    }
                }
                None => {
                    frames.pop();
                    if let Some((parent, _)) = frames.last() {
                        low[*parent] = low[*parent].min(low[node]);
                    }
                    if low[node] == order[node] {
                        let start = stack
                            .iter()
                            .rposition(|&n| n == node)
                            .expect("a component's first node is still on the stack");
                        let component = stack.split_off(start);
                        for &member in &component {
                            on_stack[member] = false;
                        }
                        found.push(component);
                    }
                }
            }
        }
    }
    found
}

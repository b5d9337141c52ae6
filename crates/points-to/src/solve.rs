//! Inclusion constraints over sets of targets, solved with difference propagation; nodes on a cycle of copies become
//! one. Cells of an object that an access overlaps become one as well, so a pointer written as eight bytes and read
//! as one byte is found.

use std::collections::VecDeque;

use program::{FuncId, Id, Program, Type, TypeId, strongly_connected_components};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::layout::{self, Layout, Offset, Range, Shift};
use crate::object::{Input, Object, ObjectId, ObjectKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(u32);

/// A place a pointer may point to, interned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TargetId(u32);

/// What is done with the targets of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Use {
    Load {
        into: NodeId,
        width: u64,
    },
    Store {
        from: NodeId,
        width: u64,
    },
    Shift {
        into: NodeId,
        shift: Shift,
    },
    /// A call through the pointer; the number of the call site.
    Call(u32),
    /// The pointer leaves the program.
    Escape,
}

#[derive(Clone, Debug, Default)]
struct Node {
    set: FxHashSet<TargetId>,
    /// The members of `set` in the order they came.
    list: Vec<TargetId>,
    /// Members of `set` that `copies` and `uses` have not seen.
    fresh: Vec<TargetId>,
    copies: FxHashSet<NodeId>,
    copy_list: Vec<NodeId>,
    uses: Vec<Use>,
    queued: bool,
}

/// What uses and copies of a node that became part of another one have not seen of the other's targets.
struct Late {
    targets: Vec<TargetId>,
    copies: Vec<NodeId>,
    uses: Vec<Use>,
}

pub(crate) struct Solver<'p> {
    pub program: &'p Program,
    objects: Vec<Object>,
    by_kind: FxHashMap<ObjectKind, ObjectId>,
    targets: Vec<(ObjectId, Offset)>,
    target_ids: FxHashMap<(ObjectId, Offset), TargetId>,
    parents: Vec<u32>,
    nodes: Vec<Node>,
    queue: VecDeque<NodeId>,
    late: Vec<Late>,
    /// Calls through pointers that were found to reach a function.
    pub found_calls: VecDeque<(u32, FuncId)>,
    copies_since_collapse: usize,
    /// What pointers from outside may be, where they are not taken to be apart from all else.
    pub outside: Option<NodeId>,
}

impl<'p> Solver<'p> {
    pub fn new(program: &'p Program) -> Solver<'p> {
        Solver {
            program,
            objects: Vec::new(),
            by_kind: FxHashMap::default(),
            targets: Vec::new(),
            target_ids: FxHashMap::default(),
            parents: Vec::new(),
            nodes: Vec::new(),
            queue: VecDeque::new(),
            late: Vec::new(),
            found_calls: VecDeque::new(),
            copies_since_collapse: 0,
            outside: None,
        }
    }

    /// From now on pointers from outside may lead to all that left the program.
    pub fn open(&mut self) -> NodeId {
        let outside = self.node();
        self.outside = Some(outside);
        self.add_use(outside, Use::Escape);
        outside
    }

    pub fn node(&mut self) -> NodeId {
        let id = u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes");
        self.parents.push(id);
        self.nodes.push(Node::default());
        NodeId(id)
    }

    pub fn object(&mut self, kind: ObjectKind, layout: Layout, input: Option<Input>) -> ObjectId {
        if let Some(&known) = self.by_kind.get(&kind) {
            return known;
        }
        let id = ObjectId(u32::try_from(self.objects.len()).expect("fewer than 2^32 objects"));
        self.objects.push(Object {
            kind,
            layout,
            cells: Default::default(),
            input,
            escaped: false,
        });
        self.by_kind.insert(kind, id);
        id
    }

    /// The objects, once solved.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    pub fn get(&self, object: ObjectId) -> &Object {
        &self.objects[object.0 as usize]
    }

    pub fn target(&mut self, object: ObjectId, offset: Offset) -> TargetId {
        // All offsets into an object whose bytes are not told apart are one.
        let offset = match self.get(object).layout {
            Layout::Blurred => Offset::At(0),
            _ => offset,
        };
        if let Some(&known) = self.target_ids.get(&(object, offset)) {
            return known;
        }
        let id = TargetId(u32::try_from(self.targets.len()).expect("fewer than 2^32 targets"));
        self.targets.push((object, offset));
        self.target_ids.insert((object, offset), id);
        id
    }

    pub fn target_at(&self, target: TargetId) -> (ObjectId, Offset) {
        self.targets[target.0 as usize]
    }

    /// The memory that a pointer of an input points to: values of the type, or memory of which no type is known.
    pub fn input_target(&mut self, input: Input, pointee: Option<TypeId>) -> TargetId {
        let types = &self.program.types;
        let typed = pointee.filter(|&ty| layout::many(types, ty) != Layout::Blurred);
        let layout = typed.map_or(Layout::Blurred, |ty| layout::many(types, ty));
        let object = self.object(ObjectKind::Input(input, typed), layout, Some(input));
        let target = self.target(object, Offset::At(0));
        if let (Some(outside), Input::Deeper) = (self.outside, input) {
            self.add_target(outside, target);
        }
        target
    }

    pub fn find(&mut self, node: NodeId) -> NodeId {
        let mut root = node.0;
        while self.parents[root as usize] != root {
            root = self.parents[root as usize];
        }
        let mut at = node.0;
        while self.parents[at as usize] != root {
            at = std::mem::replace(&mut self.parents[at as usize], root);
        }
        NodeId(root)
    }

    pub fn root(&self, node: NodeId) -> NodeId {
        let mut root = node.0;
        while self.parents[root as usize] != root {
            root = self.parents[root as usize];
        }
        NodeId(root)
    }

    /// The targets of a node in a stable order.
    pub fn targets_of(&self, node: NodeId) -> Vec<TargetId> {
        self.nodes[self.root(node).0 as usize].list.clone()
    }

    pub fn add_target(&mut self, node: NodeId, target: TargetId) {
        let node = self.find(node);
        let (object, offset) = self.target_at(target);
        let target = match offset != Offset::At(0) && self.get(object).layout == Layout::Blurred {
            true => self.target(object, Offset::At(0)),
            false => target,
        };
        let data = &mut self.nodes[node.0 as usize];
        if data.set.insert(target) {
            data.list.push(target);
            data.fresh.push(target);
            self.enqueue(node);
        }
    }

    fn enqueue(&mut self, node: NodeId) {
        if !std::mem::replace(&mut self.nodes[node.0 as usize].queued, true) {
            self.queue.push_back(node);
        }
    }

    /// `into` holds all that `from` holds.
    pub fn copy(&mut self, from: NodeId, into: NodeId) {
        let (from, into) = (self.find(from), self.find(into));
        if from == into || !self.nodes[from.0 as usize].copies.insert(into) {
            return;
        }
        self.nodes[from.0 as usize].copy_list.push(into);
        self.copies_since_collapse += 1;
        for target in self.targets_of(from) {
            self.add_target(into, target);
        }
    }

    pub fn add_use(&mut self, node: NodeId, action: Use) {
        let node = self.find(node);
        self.nodes[node.0 as usize].uses.push(action);
        for target in self.targets_of(node) {
            self.apply(action, target);
        }
    }

    fn unite(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return a;
        }
        let size = |node: NodeId| {
            let node = &self.nodes[node.0 as usize];
            node.set.len() + node.copy_list.len() + node.uses.len()
        };
        let (keep, gone) = if size(a) >= size(b) { (a, b) } else { (b, a) };
        self.parents[gone.0 as usize] = keep.0;
        let mut taken = std::mem::take(&mut self.nodes[gone.0 as usize]);
        let kept = &mut self.nodes[keep.0 as usize];
        // Each side's uses and copies have to see the other's targets, and only these.
        let others = kept.list.iter().filter(|target| !taken.set.contains(target));
        let unseen: Vec<TargetId> = others.chain(&taken.fresh).copied().collect();
        taken.copy_list.retain(|&copy| kept.copies.insert(copy));
        kept.copy_list.extend(&taken.copy_list);
        kept.uses.extend(&taken.uses);
        for target in taken.list {
            if kept.set.insert(target) {
                kept.list.push(target);
                kept.fresh.push(target);
            }
        }
        if !unseen.is_empty() {
            self.late.push(Late {
                targets: unseen,
                copies: taken.copy_list,
                uses: taken.uses,
            });
        }
        self.enqueue(keep);
        keep
    }

    /// The node that holds what the bytes of the range hold. Cells the range overlaps become one.
    pub fn cell(&mut self, object: ObjectId, range: Range) -> NodeId {
        let cells = &self.objects[object.0 as usize].cells;
        let mut merged = range;
        let mut found: Vec<(u64, NodeId)> = Vec::new();
        // Cells are disjoint: of those that start earlier only the last can reach into the range.
        for (&start, &(end, node)) in cells.range(..range.end).rev() {
            if end <= range.start {
                break;
            }
            found.push((start, node));
            merged.start = merged.start.min(start);
            merged.end = merged.end.max(end);
        }
        if let [(start, node)] = found[..]
            && start == merged.start
            && cells[&start].0 == merged.end
        {
            return self.find(node);
        }
        let mut node = match found.first() {
            Some(&(_, node)) => node,
            None => self.node(),
        };
        for &(start, other) in &found {
            self.objects[object.0 as usize].cells.remove(&start);
            node = self.unite(node, other);
        }
        self.objects[object.0 as usize]
            .cells
            .insert(merged.start, (merged.end, node));
        if let Some(input) = self.objects[object.0 as usize].input {
            self.fill_with_input(object, input, merged, node);
        }
        if self.objects[object.0 as usize].escaped {
            self.share(node);
        }
        node
    }

    /// What is stored in memory that left the program has left it, and what left it may be stored there.
    fn share(&mut self, cell: NodeId) {
        if let Some(outside) = self.outside {
            self.copy(cell, outside);
            self.copy(outside, cell);
        }
    }

    fn escape(&mut self, object: ObjectId) {
        let data = &mut self.objects[object.0 as usize];
        if matches!(data.kind, ObjectKind::Function(_)) || std::mem::replace(&mut data.escaped, true) {
            return;
        }
        let cells: Vec<NodeId> = data.cells.values().map(|&(_, node)| node).collect();
        for cell in cells {
            self.share(cell);
        }
    }

    /// Gives a cell of an input's memory the pointers it may hold before the program writes it.
    fn fill_with_input(&mut self, object: ObjectId, input: Input, range: Range, node: NodeId) {
        let types = &self.program.types;
        let layout = self.get(object).layout;
        // What a global holds is the first step into its input's memory.
        let deeper = match self.get(object).kind {
            ObjectKind::Var(_) if self.outside.is_none() => input,
            _ => Input::Deeper,
        };
        let scalar = match layout {
            Layout::Blurred => None,
            _ => layout::scalar_at(types, layout, range.start),
        };
        let target = match scalar {
            Some(ty) if types.size(ty) >= range.end - range.start => match *types.get(ty) {
                Type::Pointer(pointee) => self.input_target(deeper, Some(pointee)),
                _ => return,
            },
            _ => self.input_target(deeper, None),
        };
        self.add_target(node, target);
    }

    /// The cell that an access through the target touches; `None` where there is no memory.
    pub fn accessed(&mut self, target: TargetId, width: u64) -> Option<NodeId> {
        let (object, offset) = self.target_at(target);
        if matches!(self.get(object).kind, ObjectKind::Function(_)) {
            return None;
        }
        if offset == Offset::Any {
            self.blur(object);
        }
        let range = self.footprint(object, offset, width);
        Some(self.cell(object, range))
    }

    fn footprint(&self, object: ObjectId, offset: Offset, width: u64) -> Range {
        layout::footprint(&self.program.types, self.get(object).layout, offset, width)
    }

    /// Stops telling the bytes of an object apart.
    fn blur(&mut self, object: ObjectId) {
        if self.get(object).layout == Layout::Blurred {
            return;
        }
        self.objects[object.0 as usize].layout = Layout::Blurred;
        let everything = Range {
            start: 0,
            end: u64::MAX,
        };
        self.cell(object, everything);
    }

    pub fn shifted(&self, target: TargetId, by: Shift) -> Vec<(ObjectId, Offset)> {
        let (object, offset) = self.target_at(target);
        let object_data = self.get(object);
        if matches!(object_data.kind, ObjectKind::Function(_)) {
            return vec![(object, offset)];
        }
        layout::shift(&self.program.types, object_data.layout, offset, by)
            .into_iter()
            .map(|offset| (object, offset))
            .collect()
    }

    fn apply(&mut self, action: Use, target: TargetId) {
        match action {
            Use::Load { into, width } => {
                if let Some(cell) = self.accessed(target, width) {
                    self.copy(cell, into);
                }
            }
            Use::Store { from, width } => {
                if let Some(cell) = self.accessed(target, width) {
                    self.copy(from, cell);
                }
            }
            Use::Shift { into, shift } => {
                for (object, offset) in self.shifted(target, shift) {
                    let target = self.target(object, offset);
                    self.add_target(into, target);
                }
            }
            Use::Escape => self.escape(self.target_at(target).0),
            Use::Call(site) => {
                if let ObjectKind::Function(function) = self.get(self.target_at(target).0).kind {
                    self.found_calls.push_back((site, function));
                }
            }
        }
    }

    /// Propagates until nothing changes. Calls found on the way are in `found_calls`.
    pub fn solve(&mut self) {
        loop {
            while let Some(late) = self.late.pop() {
                self.see_late(&late);
            }
            let Some(node) = self.queue.pop_front() else {
                break;
            };
            self.nodes[node.0 as usize].queued = false;
            if self.find(node) != node {
                continue;
            }
            let fresh = std::mem::take(&mut self.nodes[node.0 as usize].fresh);
            if fresh.is_empty() {
                continue;
            }
            // New uses are applied to all targets when they are added: the lists seen here are enough.
            let uses = self.nodes[node.0 as usize].uses.clone();
            for action in uses {
                for &target in &fresh {
                    self.apply(action, target);
                }
            }
            let copies = self.nodes[self.root(node).0 as usize].copy_list.clone();
            for into in copies {
                for &target in &fresh {
                    self.add_target(into, target);
                }
            }
            if self.copies_since_collapse > self.nodes.len() {
                self.collapse_cycles();
            }
        }
    }

    fn see_late(&mut self, late: &Late) {
        for &target in &late.targets {
            for &action in &late.uses {
                self.apply(action, target);
            }
            for &into in &late.copies {
                self.add_target(into, target);
            }
        }
    }

    /// Makes the nodes of each cycle of copies one node: they hold the same.
    fn collapse_cycles(&mut self) {
        self.copies_since_collapse = 0;
        let successors = |at: usize| -> Vec<usize> {
            let node = NodeId(at as u32);
            match self.root(node) == node {
                true => self.nodes[at]
                    .copy_list
                    .iter()
                    .map(|&to| self.root(to).0 as usize)
                    .collect(),
                false => Vec::new(),
            }
        };
        let components = strongly_connected_components(self.nodes.len(), successors);
        for component in components.into_iter().filter(|component| component.len() > 1) {
            for pair in component.windows(2) {
                self.unite(NodeId(pair[0] as u32), NodeId(pair[1] as u32));
            }
        }
        // Copies to a node's own former parts, and several to what is one node now, are of no use any more.
        for at in 0..self.nodes.len() {
            let node = NodeId(at as u32);
            if self.root(node) != node || self.nodes[at].copy_list.is_empty() {
                continue;
            }
            let list = std::mem::take(&mut self.nodes[at].copy_list);
            let mut copies = FxHashSet::default();
            let mut kept = Vec::new();
            for to in list {
                let to = self.root(to);
                if to != node && copies.insert(to) {
                    kept.push(to);
                }
            }
            self.nodes[at].copies = copies;
            self.nodes[at].copy_list = kept;
        }
    }
}

impl Id for ObjectId {
    fn from_index(index: usize) -> ObjectId {
        ObjectId(u32::try_from(index).expect("fewer than 2^32 objects"))
    }
    fn index(self) -> usize {
        self.0 as usize
    }
}

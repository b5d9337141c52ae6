//! How a woven program asks about blocks of memory: by calls of functions without a body that the library's table knows.
//! Whoever runs the program or reasons about it answers them.

use std::collections::BTreeMap;

use library::Block;
use points_to::PointsTo;
use program::{ExprId, FuncId, IntKind, Type, TypeId, VarId};

use super::super::Weaver;
use super::super::edit::Code;
use super::alignment::Alignments;
use super::holders::Holders;
use super::texts::Texts;
use super::unwritten::Unwritten;

/// What the questions of a program need, made when first asked.
#[derive(Default)]
pub struct Questions {
    functions: BTreeMap<&'static str, FuncId>,
    /// Where answers of a type go in a function. Each is looked at before the next question.
    answers: BTreeMap<(FuncId, TypeId), VarId>,
    /// Who knows addresses for too long.
    pub(super) holders: Holders,
    /// What may hold nothing.
    pub(super) unwritten: Unwritten,
    /// What addresses are multiples of.
    pub(super) alignments: Alignments,
    /// Where pointers lead, if constants are among it.
    pub(super) leads_to: Option<PointsTo>,
    /// Functions of strings that were written out.
    pub(super) texts: Texts,
}

impl Weaver {
    /// Asks a question in a function: the code, and the answer.
    pub(super) fn ask(&mut self, within: FuncId, question: Block, arguments: Vec<ExprId>) -> (Code, ExprId) {
        let ty = self.answer_type(question);
        let known = self.questions.answers.get(&(within, ty)).copied();
        let var = known.unwrap_or_else(|| self.new_temporary(within, ty));
        self.questions.answers.insert((within, ty), var);
        let place = self.program.var_place(var);
        let mut code = self.say(question, arguments);
        if let Code::Call { result, .. } = &mut code {
            *result = Some(place);
        }
        (code, self.program.read(place))
    }

    /// Says something, or asks where the answer does not matter.
    pub(super) fn say(&mut self, question: Block, arguments: Vec<ExprId>) -> Code {
        let function = self.question(question, &arguments);
        let Type::Function(ty) = self
            .program
            .types
            .get(self.program.functions[function].ty)
            .clone()
        else {
            unreachable!("a function has a function type")
        };
        let arguments = arguments.into_iter().zip(ty.params);
        Code::Call {
            result: None,
            function,
            arguments: arguments
                .map(|(argument, ty)| self.program.convert(argument, ty))
                .collect(),
        }
    }

    fn question(&mut self, question: Block, arguments: &[ExprId]) -> FuncId {
        let name = match question {
            Block::Room => "block$room",
            Block::Same => "block$same",
            Block::Live => "block$live",
            Block::Dead => "block$dead",
            Block::Freeable => "block$freeable",
            Block::Terminated => "block$terminated",
            Block::Lost => "block$lost",
            Block::Written => "block$written",
            Block::TextWritten => "block$text-written",
            Block::Write => "block$write",
            Block::Fresh => "block$fresh",
            Block::Move => "block$move",
            Block::Perhaps => "block$perhaps",
            Block::Aligned => "block$aligned",
        };
        if let Some(&known) = self.questions.functions.get(name) {
            return known;
        }
        let void = self.program.types.void();
        let pointer = self.program.types.pointer(void);
        let (size, int) = (
            self.program.types.size_type(),
            self.program.types.int(IntKind::Int),
        );
        let params = match question {
            Block::Live | Block::Written | Block::Write | Block::Fresh | Block::Perhaps | Block::Aligned => {
                vec![pointer, size]
            }
            Block::Move => vec![pointer, pointer, size],
            Block::Lost => vec![int],
            _ => vec![pointer; arguments.len()],
        };
        let result = match question {
            Block::Live | Block::Dead | Block::Write | Block::Fresh | Block::Move | Block::Perhaps => void,
            _ => self.answer_type(question),
        };
        let function = self.program.declare(name.to_owned(), result, params);
        self.program.functions[function].const_params = (0..arguments.len()).collect();
        self.questions.functions.insert(name, function);
        function
    }

    fn answer_type(&mut self, question: Block) -> TypeId {
        match question {
            Block::Room => self.program.types.size_type(),
            _ => self.program.types.int(IntKind::Int),
        }
    }
}

//! One line a check, for spreadsheets.

use crate::Results;

pub fn csv(results: &Results<'_>) -> String {
    let mut text =
        "program,check,options,verdict,expected,kind,place,reason,engine,cpu_seconds,wall_seconds,memory_bytes,key\n"
            .to_owned();
    for (cell, answer) in results.cells() {
        let column = &results.matrix.columns[cell.column];
        let mut fields = vec![
            results.matrix.rows[cell.row].clone(),
            column.check.clone(),
            column.variant.clone(),
        ];
        let expected = cell
            .expected
            .map_or(String::new(), |expected| expected.to_string());
        match answer {
            Some(answer) => fields.extend([
                answer.verdict.name().to_owned(),
                expected,
                answer.kind.clone(),
                answer.place.clone(),
                answer.reason.clone(),
                answer.engine.clone(),
                format!("{:.2}", answer.cpu),
                format!("{:.3}", answer.wall),
                answer.memory.to_string(),
            ]),
            None => {
                fields.extend([String::new(), expected]);
                fields.extend(std::iter::repeat_n(String::new(), 7));
            }
        }
        fields.push(cell.key.clone());
        let quoted: Vec<String> = fields.iter().map(|field| quote(field)).collect();
        text += &quoted.join(",");
        text += "\n";
    }
    text
}

fn quote(field: &str) -> String {
    match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.to_owned(),
    }
}

//! What searches reached against how often they went back, as a picture: `--plot`.

use std::fmt::Write as _;

use lazy_annotation::Mode;

use super::explore::Searched;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
/// The room for the curves: left, top, right, bottom.
const FRAME: [f64; 4] = [60.0, 50.0, 700.0, 350.0];

/// One line about a search.
pub fn describe(search: &Searched) -> String {
    let ended = match search.complete {
        true => "all explored",
        false => "stopped",
    };
    match search.mode {
        Mode::Learning => format!(
            "with learning: {} backtracks, {ended}, {} interpolants verified",
            search.backtracks, search.interpolants
        ),
        Mode::AllPaths => format!("without learning: {} backtracks, {ended}", search.backtracks),
    }
}

/// The curves of searches for so many goals. Across, the number of backtracks, by its logarithm.
pub fn svg(noun: &str, goals: usize, searches: &[&Searched]) -> String {
    let [left, top, right, bottom] = FRAME;
    let most = searches.iter().map(|search| search.backtracks).max().unwrap_or(0);
    let decades = ((most + 1) as f64).log10().ceil().max(1.0);
    let across = |backtracks: usize| left + ((backtracks + 1) as f64).log10() / decades * (right - left);
    let up = |covered: usize| bottom - covered as f64 / goals.max(1) as f64 * (bottom - top);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"black\"/>\n"
    );
    for decade in 0..=decades as u32 {
        let count = 10_usize.pow(decade);
        let x = left + f64::from(decade) / decades * (right - left);
        let _ = writeln!(
            text,
            "<path d=\"M{x:.1} {bottom}v5\" stroke=\"black\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            bottom + 18.0,
            count - usize::from(decade == 0)
        );
    }
    for covered in [0, goals / 2, goals] {
        let y = up(covered);
        let _ = writeln!(
            text,
            "<path d=\"M{left} {y:.1}h-5\" stroke=\"black\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{covered}</text>",
            left - 8.0,
            y + 4.0
        );
    }
    let _ = writeln!(
        text,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">backtracks</text>\n<text x=\"{left}\" y=\"{:.1}\">{noun} covered, of {goals}</text>",
        f64::midpoint(left, right),
        bottom + 38.0,
        top - 10.0
    );
    for (search, &(colour, dashes, y)) in searches
        .iter()
        .zip(&[("#0060a0", "none", 20.0), ("#c04000", "6 3", 38.0)])
    {
        let mut path = format!("M{:.1} {:.1}", across(0), up(0));
        let mut covered = 0;
        for reached in &search.progress {
            covered = goals - reached.open;
            let _ = write!(path, "H{:.1}V{:.1}", across(reached.backtracks), up(covered));
        }
        let end = across(search.backtracks);
        let _ = write!(path, "H{end:.1}");
        let _ = writeln!(
            text,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" stroke-dasharray=\"{dashes}\"/>"
        );
        // A search that explored all ends in a dot.
        if search.complete {
            let y = up(covered);
            let _ = writeln!(
                text,
                "<circle cx=\"{end:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{colour}\"/>"
            );
        }
        let _ = writeln!(
            text,
            "<text x=\"{right}\" y=\"{y}\" text-anchor=\"end\" fill=\"{colour}\">{}; {covered} {noun}</text>",
            describe(search)
        );
    }
    text + "</svg>\n"
}

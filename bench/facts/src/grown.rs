//! A program of a wanted size: functions with loops, branches, globals and calls, about twenty lines each.

use std::fmt::Write;

pub fn program(functions: usize) -> String {
    let mut text = String::from("extern int nondet(void);\nint total, limit, table[8];\n");
    for index in 0..functions {
        let _ = writeln!(text, "int state{index};");
    }
    for index in 0..functions {
        let callee = index.checked_sub(1 + index % 3);
        let call = match callee {
            Some(callee) => format!("f{callee}(i + {index}, n)"),
            None => "nondet()".to_owned(),
        };
        let _ = write!(
            text,
            "static int f{index}(int a, int n) {{
    int i = 0, j = n, odd = 1;
    if (n < 0 || n > {bound})
        return -1;
    while (i < n) {{
        i++;
        j--;
        odd += 2;
        if (nondet())
            state{index} = i;
        else
            table[{cell}] = a;
    }}
    for (int k = 0; k < 10; k++) {{
        total += 4;
        if (state{index} == k)
            state{index} = 0;
    }}
    if (nondet() && i + j == n)
        limit = {call};
    return i + odd;
}}
",
            bound = 100 + index,
            cell = index % 8,
        );
    }
    text.push_str("int main(void) {\n    int sum = 0;\n");
    for index in (0..functions).rev().take(20) {
        let _ = writeln!(text, "    sum += f{index}({index}, nondet());");
    }
    text.push_str("    return sum;\n}\n");
    text
}

// The two loops in which a solution with a large factor spends its time: a dense panel times a vector, down
// and up.
#pragma once

namespace tappet {

/// b := b after elimination with the panel's columns: for each column j < w, b_j /= L_jj, then b_i −= L_ij
/// b_j for the rows below. The panel is column-major, `rows` numbers a column; `inverse` holds 1/L_jj.
void panel_forward(const double* panel, const double* inverse, int rows, int w, double* b);
/// The transpose, last column first: b_j = (b_j − Σ_{i>j} L_ij b_i)/L_jj.
void panel_backward(const double* panel, const double* inverse, int rows, int w, double* b);

}  // namespace tappet

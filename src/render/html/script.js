// Sorts a table when the name of a column is pressed; without scripts the page lacks nothing else.
"use strict";
for (const table of document.querySelectorAll("table.sorts")) {
	const heads = [...table.tHead.rows[0].cells];
	heads.forEach((head, column) => {
		const button = document.createElement("button");
		button.textContent = head.textContent;
		head.replaceChildren(button);
		button.addEventListener("click", () => {
			const down = head.getAttribute("aria-sort") !== "descending";
			const number = head.classList.contains("number");
			const key = (row) => {
				const cell = row.cells[column];
				const value = cell.dataset.value ?? cell.textContent;
				return number ? Number(value === "" ? NaN : value) : value;
			};
			const rank = (a, b) => {
				const x = key(a), y = key(b);
				if (number)
					return (Number.isNaN(x) ? -Infinity : x) - (Number.isNaN(y) ? -Infinity : y);
				return x < y ? -1 : x > y ? 1 : 0;
			};
			const body = table.tBodies[0];
			const rows = [...body.rows].sort((a, b) => (down ? rank(b, a) : rank(a, b)));
			heads.forEach((other) => other.removeAttribute("aria-sort"));
			head.setAttribute("aria-sort", down ? "descending" : "ascending");
			body.append(...rows);
		});
	});
}

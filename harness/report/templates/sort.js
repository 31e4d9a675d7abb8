for (const table of document.querySelectorAll("table[data-sortable]")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const numbers = head.dataset.sort === "number";
      const first = numbers ? "descending" : "ascending";
      const order = head.getAttribute("aria-sort") === first ? (numbers ? "ascending" : "descending") : first;
      const sign = order === "ascending" ? 1 : -1;
      const key = row => row.cells[column].dataset.value;
      const compare = (one, other) => numbers ? key(one) - key(other) : key(one).localeCompare(key(other), undefined, {numeric: true});
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      body.append(...[...body.rows].sort((one, other) => sign * compare(one, other)));
    });
  });
}

// Opens the changes between the two chosen releases. Loaded after site.js.
for (const form of all("[data-versions]")) {
  // Both lists have the same releases.
  const { from, to } = form.elements;
  to.append(...[...from.options].map(({ value }) => new Option(value, value, false, value === to.dataset.chosen)));
  // On the page of all versions, the way from the reader's release to the newest.
  if (form.matches("[data-start]")) from.value = cluster.release || from.value;
  form.onsubmit = (event) => {
    event.preventDefault();
    // The options are listed from the newest release to the oldest.
    const [newer, older] = [from, to].sort((a, b) => a.selectedIndex - b.selectedIndex).map(({ value }) => value);
    const page = location.protocol === "file:" ? "index.html" : "";
    location.href = newer === older ? form.dataset.versions + page : `${form.dataset.versions}${older}..${newer}/${page}`;
  };
}

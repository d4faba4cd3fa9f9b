// Diagrams: the relations of the box under the pointer or with the focus, and a dialog in which a drawing can be zoomed and moved. site.js loads it on first use.
{
  // The factor of a step, and the limits of the scale relative to the natural size.
  const STEP = 1.25, LEAST = 0.2, MOST = 4;
  // Pixels that an arrow key moves the drawing.
  const MOVE = 60;

  /** Returns the drawing whose arrows have the ids of their ends: those of a narrow drawing are in the same order, and have none. */
  const wideOf = (svg) => svg.classList.contains("narrow") ? svg.wide ??= svg.previousElementSibling : svg;

  /** Highlights a box, its arrows and the boxes at their other ends. */
  const light = (box) => {
    const svg = box?.closest("svg");
    for (const drawing of all("svg.diagram.lit")) if (drawing !== svg) drawing.classList.remove("lit");
    if (!svg) return;
    const { id } = box.dataset, near = new Set([id]);
    const wide = all(".arrow", wideOf(svg));
    all(".arrow", svg).forEach((arrow, index) => {
      const { from, to } = wide[index].dataset, ends = `${from} ${to}`.split(" ");
      const isNear = ends.includes(id);
      arrow.classList.toggle("near", isNear);
      if (isNear) for (const end of ends) near.add(end);
    });
    for (const other of all("a[data-id]", svg)) other.classList.toggle("near", near.has(other.dataset.id));
    svg.classList.add("lit");
  };
  const boxOf = ({ target }) => target.closest?.(".diagram a[data-id]");
  document.addEventListener("pointerover", (event) => light(boxOf(event) ?? document.activeElement.closest(".diagram a[data-id]")));
  document.addEventListener("focusin", (event) => light(boxOf(event)));
  // The box that caused this script to load.
  light(document.querySelector(".diagram a[data-id]:is(:hover, :focus)"));

  /** Opens a drawing in a dialog. */
  ksys.enlarge = (stage) => {
    // The drawing that fits the screen; the other one is not shown.
    const svg = all("svg", stage).find((svg) => svg.getClientRects().length), home = document.createComment("");
    wideOf(svg);
    svg.before(home);
    const [width, height] = ["width", "height"].map((side) => Number(svg.getAttribute(side)));
    const box = svg.getAttribute("viewBox");
    const button = (text, label, act) => Object.assign(make("button", { type: "button", textContent: text, ariaLabel: label, title: label }), { onclick: act });
    const view = make("div", { className: "diagram-view", tabIndex: 0, role: "group", ariaLabel: svg.querySelector("title")?.textContent ?? "" });
    const dialog = make("dialog", { className: "diagram-dialog", ariaLabel: view.ariaLabel });
    let scale = 1, x = 0, y = 0;

    // The part of the drawing that is visible.
    const show = () => svg.setAttribute("viewBox", [x, y, view.clientWidth / scale, view.clientHeight / scale].join(" "));
    function fit() {
      scale = Math.min(view.clientWidth / width, view.clientHeight / height, MOST);
      x = (width - view.clientWidth / scale) / 2;
      y = (height - view.clientHeight / scale) / 2;
      show();
    }
    function zoom(factor, atX = view.clientWidth / 2, atY = view.clientHeight / 2) {
      const next = Math.max(LEAST, Math.min(MOST, scale * factor));
      x += atX / scale - atX / next;
      y += atY / scale - atY / next;
      scale = next;
      show();
    }
    const move = (byX, byY) => { x -= byX / scale; y -= byY / scale; show(); };

    const tools = make("p", { className: "diagram-tools" });
    tools.append(button("−", words.zoomOut, () => zoom(1 / STEP)), button("+", words.zoomIn, () => zoom(STEP)), button(words.fit, words.fit, fit), button(words.close, words.close, () => dialog.close()));
    dialog.append(tools, view);
    view.append(svg);
    svg.setAttribute("width", "100%");
    svg.setAttribute("height", "100%");

    view.onwheel = (event) => {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey || !event.deltaX) zoom(event.deltaY < 0 ? STEP : 1 / STEP, event.offsetX, event.offsetY);
      else move(-event.deltaX, -event.deltaY);
    };
    view.onkeydown = ({ key }) => {
      const moves = { ArrowLeft: [MOVE, 0], ArrowRight: [-MOVE, 0], ArrowUp: [0, MOVE], ArrowDown: [0, -MOVE] };
      if (moves[key]) move(...moves[key]);
      else if (key === "+" || key === "=") zoom(STEP);
      else if (key === "-") zoom(1 / STEP);
      else if (key === "0") fit();
      else return true;
      return false;
    };
    // One pointer moves the drawing, two zoom it.
    const pointers = new Map();
    let moved = 0;
    view.onpointerdown = (event) => {
      pointers.set(event.pointerId, event);
      moved = 0;
    };
    view.onpointermove = (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const [other] = [...pointers.values()].filter(({ pointerId }) => pointerId !== event.pointerId);
      if (other) {
        const distance = (a) => Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY);
        const { left, top } = view.getBoundingClientRect();
        zoom(distance(event) / (distance(before) || 1), (event.clientX + other.clientX) / 2 - left, (event.clientY + other.clientY) / 2 - top);
      } else move(event.clientX - before.clientX, event.clientY - before.clientY);
      moved += Math.abs(event.clientX - before.clientX) + Math.abs(event.clientY - before.clientY);
      pointers.set(event.pointerId, event);
    };
    view.onpointerup = view.onpointercancel = view.onpointerleave = ({ pointerId }) => pointers.delete(pointerId);
    view.ondragstart = () => false;
    // The end of a movement is not a click on the link below the pointer.
    view.addEventListener("click", (event) => { if (moved > 6) event.preventDefault(); }, true);

    dialog.onclose = () => {
      for (const [side, size] of [["width", width], ["height", height]]) svg.setAttribute(side, size);
      svg.setAttribute("viewBox", box);
      home.replaceWith(svg);
      dialog.remove();
      stage.querySelector(".diagram-open").focus();
    };
    document.body.append(dialog);
    dialog.showModal();
    fit();
    // The text is readable at first; the rest can be reached by moving.
    if (scale < 12 / 13) { scale = 12 / 13; [x, y] = [Math.max(0, x), Math.max(0, y)]; show(); }
    view.focus();
  };
}

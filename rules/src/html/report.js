"use strict";

// The page is complete without this script; it adds filter, groups, keys, theme and download.
(() => {
  const byId = (id) => document.getElementById(id);
  const findings = [...document.querySelectorAll(".finding")];
  const controls = byId("controls");

  // Of many findings it is long: made when it is first asked for.
  const texts = new Map();
  const textOf = (item) => {
    if (!texts.has(item)) texts.set(item, item.textContent.toLowerCase());
    return texts.get(item);
  };

  // Opens what a finding, or a rule's page, is closed up in.
  const reveal = (item) => {
    for (let at = item.parentElement; at; at = at.parentElement)
      if (at.matches("details")) at.open = true;
  };

  if (controls) {
    const list = byId("findings");
    const query = byId("query");
    const severity = byId("severity");
    const rule = byId("rule");
    const grouping = byId("grouping");
    const toggle = byId("toggle");
    controls.hidden = false;

    const apply = () => {
      const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const item of findings) {
        const visible =
          (!severity.value || item.dataset.severity === severity.value) &&
          (!rule.value || item.dataset.rule === rule.value) &&
          words.every((word) => textOf(item).includes(word));
        item.hidden = !visible;
        shown += visible ? 1 : 0;
      }
      for (const group of list.querySelectorAll(":scope > .group")) {
        const visible = group.querySelectorAll(".finding:not([hidden])").length;
        group.hidden = visible === 0;
        group.querySelector(".count").textContent = visible;
      }
      byId("nothing").hidden = shown !== 0;
      byId("shown").textContent = `${shown} of ${findings.length} findings shown`;
    };

    // The groups stand in the order of their worst findings, which come first already.
    const regroup = () => {
      const key = grouping.value;
      list.replaceChildren(...(key ? [] : findings));
      if (!key) return apply();
      const groups = new Map();
      for (const item of findings) {
        const name = item.dataset[key] || "(unknown place)";
        if (!groups.has(name)) groups.set(name, []);
        groups.get(name).push(item);
      }
      const many = findings.length > 100;
      for (const [name, items] of groups) {
        const group = document.createElement("li");
        group.className = "group";
        const details = document.createElement("details");
        details.open = !many;
        const summary = document.createElement("summary");
        const heading = document.createElement("h2");
        const count = document.createElement("span");
        count.className = "count";
        heading.append(name, " ", count);
        summary.append(heading);
        const inner = document.createElement("ol");
        inner.className = "findings";
        inner.append(...items);
        details.append(summary, inner);
        group.append(details);
        list.append(group);
      }
      apply();
    };

    controls.addEventListener("input", (event) =>
      event.target === grouping ? regroup() : apply());
    controls.addEventListener("submit", (event) => event.preventDefault());

    // A link leads to its finding, whatever the filter leaves out.
    document.addEventListener("click", (event) => {
      const target = event.target.closest('a[href^="#f"]');
      const item = target && byId(target.hash.slice(1));
      if (!item) return;
      if (item.hidden) {
        query.value = severity.value = rule.value = "";
        apply();
      }
      reveal(item);
    });

    toggle.addEventListener("click", () => {
      const open = toggle.textContent === "Expand all";
      const groups = open ? list.querySelectorAll(".group > details") : [];
      for (const group of groups) group.open = true;
      for (const item of findings) item.firstElementChild.open = open;
      toggle.textContent = open ? "Collapse all" : "Expand all";
    });
  }

  const show = () => {
    const target = location.hash.length > 1 && byId(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.closest(".rules")) return;
    reveal(target);
    target.focus({ preventScroll: true });
    target.closest("details").scrollIntoView();
  };
  addEventListener("hashchange", show);
  document.addEventListener("click", (event) => {
    // The same rule's again, after its page was closed.
    const link = event.target.closest('a[href^="#rule-"]');
    if (link && link.hash === location.hash) show();
  });
  show();

  const move = (step) => {
    // As they stand on the page, which groups may have changed.
    const shown = [...document.querySelectorAll(".finding:not([hidden])")];
    if (shown.length === 0) return;
    const current = shown.findIndex((item) => item.contains(document.activeElement));
    const next = current < 0 ? (step > 0 ? 0 : shown.length - 1) : current + step;
    const item = shown[Math.max(0, Math.min(shown.length - 1, next))];
    reveal(item);
    item.querySelector("summary").focus({ preventScroll: true });
    item.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input, select, textarea")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "/" && controls) byId("query").focus();
    else if (event.key === "g" && controls) byId("grouping").focus();
    else return;
    event.preventDefault();
  });

  const theme = byId("theme");
  const dark = () =>
    document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
  const label = () => {
    theme.textContent = dark() ? "Light theme" : "Dark theme";
  };
  theme.hidden = false;
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    label();
  });
  label();

  const download = byId("download");
  download.hidden = false;
  download.addEventListener("click", () => {
    const blob = new Blob([byId("data").textContent], { type: "application/json" });
    download.href = URL.createObjectURL(blob);
  });
})();

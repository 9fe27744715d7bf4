"use strict";

// The page is complete without this script; it adds filter, keys, theme and download.
(() => {
  const byId = (id) => document.getElementById(id);
  const findings = [...document.querySelectorAll(".finding")];
  const texts = new Map(findings.map((item) => [item, item.textContent.toLowerCase()]));
  const controls = byId("controls");

  if (controls) {
    const query = byId("query");
    const severity = byId("severity");
    const rule = byId("rule");
    const toggle = byId("toggle");
    controls.hidden = false;

    const apply = () => {
      const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const item of findings) {
        const visible =
          (!severity.value || item.dataset.severity === severity.value) &&
          (!rule.value || item.dataset.rule === rule.value) &&
          words.every((word) => texts.get(item).includes(word));
        item.hidden = !visible;
        shown += visible ? 1 : 0;
      }
      byId("nothing").hidden = shown !== 0;
      byId("shown").textContent = `${shown} of ${findings.length} findings shown`;
    };
    controls.addEventListener("input", apply);
    controls.addEventListener("submit", (event) => event.preventDefault());

    // A link leads to its finding, whatever the filter leaves out.
    document.addEventListener("click", (event) => {
      const target = event.target.closest('a[href^="#f"]');
      const item = target && byId(target.hash.slice(1));
      if (!item || !item.hidden) return;
      controls.reset();
      apply();
    });

    toggle.addEventListener("click", () => {
      const open = toggle.textContent === "Expand all";
      for (const item of findings) item.firstElementChild.open = open;
      toggle.textContent = open ? "Collapse all" : "Expand all";
    });
  }

  const move = (step) => {
    const visible = findings.filter((item) => !item.hidden);
    if (visible.length === 0) return;
    const current = visible.findIndex((item) => item.contains(document.activeElement));
    const next = current < 0 ? (step > 0 ? 0 : visible.length - 1) : current + step;
    const item = visible[Math.max(0, Math.min(visible.length - 1, next))];
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

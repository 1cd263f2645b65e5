// Light and dark pages. The script of Furo, as Debian 12 has it, is a module that its pages load as a plain script, so that it
// does not run; and its style sheet does not know the preference of the system. Both are made up for here.
(() => {
  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  const show = () => {
    document.body.dataset.theme = localStorage.getItem("theme") || (prefersDark.matches ? "dark" : "light");
  };
  const toggle = () => {
    localStorage.setItem("theme", document.body.dataset.theme === "dark" ? "light" : "dark");
    show();
  };
  document.documentElement.classList.remove("no-js");
  show();
  prefersDark.addEventListener("change", show);
  document.querySelectorAll(".theme-toggle").forEach((button) => button.addEventListener("click", toggle));
})();

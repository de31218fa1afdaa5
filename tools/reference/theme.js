// The switch of the site decides whether pages are light or dark.
const chosen = localStorage.getItem("vitepress-theme-appearance");
const theme = chosen === "dark" || chosen === "light" ? chosen : "os";
localStorage.setItem("tsd-theme", theme);
document.documentElement.dataset.theme = theme;

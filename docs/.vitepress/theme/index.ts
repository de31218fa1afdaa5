import DefaultTheme from "vitepress/theme";
import { h } from "vue";
import TryIt from "./TryIt.vue";
import "./style.css";

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "home-hero-image": () => h(TryIt) }),
};

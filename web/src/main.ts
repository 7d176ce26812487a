import { mount } from "svelte";
import App from "./App.svelte";
import "virtual:fonts.css";
import "./styles/index.css";
import { applyTheme } from "./lib/theme.svelte";

applyTheme();
const target = document.getElementById("app");
if (target) mount(App, { target });

import { render } from "preact";
import { App } from "./app.tsx";
import { showTheme, storedTheme } from "./frame/theme.ts";
import "./style.css";

const root = document.getElementById("app");
showTheme(storedTheme());
if (root !== null) render(<App />, root);

// `npm run docs` builds the docs site; `npm run docs -- dev` serves it and follows changes of the pages.
import { fileURLToPath } from "node:url";
import { build, createServer } from "vitepress";

const folder = fileURLToPath(new URL(".", import.meta.url));
const [mode = "build"] = process.argv.slice(2);
if (mode === "dev") {
  const server = await createServer(folder);
  await server.listen();
  server.printUrls();
} else if (mode === "build") {
  await build(folder);
  console.log("The docs site is in .site. Any web server of static files serves it.");
} else {
  console.error(`npm run docs -- ${mode}: unknown. Use dev, or nothing to build the site.`);
  process.exitCode = 2;
}

import { setupWorker } from "msw/browser";
import { createUnderstudy } from "canton-understudy/browser";
import { understudyHandlers } from "canton-understudy/msw";
import { listUsers } from "./users.js";

const ledgerUrl = "https://ledger.example.com";

// An application's own tests would start this only when they run; what follows is the application.
window.understudy = createUnderstudy({ profile: "canton-3.6" });
await setupWorker(...understudyHandlers(window.understudy, { ledgerUrl })).start();

window.show = async () => {
  try {
    const users = await listUsers(ledgerUrl, "any");
    const items = users.map(({ id }) => {
      const item = document.createElement("li");
      item.textContent = id;
      return item;
    });
    document.querySelector("ul").replaceChildren(...items);
  } catch (error) {
    document.querySelector("[role=alert]").textContent = error.message;
  }
};
await window.show();

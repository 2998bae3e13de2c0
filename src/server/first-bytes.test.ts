import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { CountedLimits } from "../limits/counted-limits.ts";
import { acceptConnections } from "./first-bytes.ts";

/** A door that knows enough at a full stop, what it hands on, and a way to come to it. */
async function door(isEnough = (bytes: Uint8Array) => Buffer.from(bytes).includes(".")) {
  const handed: { readonly socket: Socket; readonly text: string }[] = [];
  const waiting: (() => void)[] = [];
  const opened = await acceptConnections({
    host: "127.0.0.1",
    port: 0,
    limits: new CountedLimits(),
    isEnough,
    hand: (socket, bytes) => {
      handed.push({ socket, text: Buffer.from(bytes).toString() });
      waiting.shift()?.();
    },
  });
  onTestFinished(() => {
    opened.close();
    for (const { socket } of handed) socket.destroy();
  });
  const come = async () => {
    const socket = connect(opened.port, "127.0.0.1").on("error", () => undefined);
    onTestFinished(() => {
      socket.destroy();
    });
    await once(socket, "connect");
    return socket;
  };
  const next = () => new Promise<void>((resolve) => waiting.push(resolve));
  return { opened, handed, come, next };
}

test("hands on a connection with all that it has read of it, and reads no more", async () => {
  const { handed, come, next } = await door();
  const first = next();
  const client = await come();
  await new Promise((resolve) => client.write("one", resolve));
  await new Promise((resolve) => client.write(" two.three", resolve));
  await first;
  await new Promise((resolve) => client.write("four", resolve));
  for (const _ of [1, 2, 3]) {
    const other = next();
    (await come()).write("other.");
    await other;
  }
  expect(handed[0]?.text).toMatch(/^one two\.three/);
  expect(handed[0]?.socket.bytesRead).toBe(handed[0]?.text.length);
});

test("hands on what says too little in sixteen kibibytes, or ends before", async () => {
  const { handed, come, next } = await door();
  const [first, second] = [next(), next()];
  (await come()).write("x".repeat(16 * 1024));
  await first;
  (await come()).end("short");
  await second;
  expect(handed.map(({ text }) => text.length)).toEqual([16 * 1024, 5]);
});

test("drops who has not said enough when it closes", async () => {
  const { opened, handed, come, next } = await door();
  const silent = await come();
  const first = next();
  (await come()).write("known.");
  await first;
  const ended = once(silent, "close");
  opened.close();
  await ended;
  expect(handed).toHaveLength(1);
});

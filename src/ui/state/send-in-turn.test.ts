import { expect, it } from "vitest";
import { sendInTurn, type Turn } from "./send-in-turn.ts";

it("The last text arrives last, and those between are left out", async () => {
  const turn: Turn = { running: false, waiting: null };
  const sent: string[] = [];
  const open: (() => void)[] = [];
  const send = (text: string): Promise<void> => {
    sent.push(text);
    return new Promise((resolve) => open.push(resolve));
  };
  const first = sendInTurn(turn, "269", send);
  // Others return at once.
  await sendInTurn(turn, "253", send);
  await sendInTurn(turn, "237", send);
  expect(sent).toEqual(["269"]);
  open[0]?.();
  await expect.poll(() => sent).toEqual(["269", "237"]);
  open[1]?.();
  await first;
  expect(turn).toEqual({ running: false, waiting: null });
  const again = sendInTurn(turn, "200", send);
  open[2]?.();
  await again;
  expect(sent).toEqual(["269", "237", "200"]);
});

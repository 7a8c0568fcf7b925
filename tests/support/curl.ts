/** The machine's curl as a client. */
import { spawn } from "node:child_process";
import { DEMO_PASSWORD } from "../../src/server/base/database/seed.ts";
import { basic } from "../../src/server/platform.harness.ts";

/** Runs curl, which takes any certificate here. @returns what it wrote */
export async function curl(...options: readonly string[]): Promise<string> {
  // In parallel to this process, which may hold the server.
  const child = spawn("curl", ["-sSk", "--max-time", "60", ...options]);
  let out = "";
  let wrong = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (wrong += text));
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (status !== 0) throw new Error(`curl ${options.at(-1)}: ${wrong}`);
  return out;
}

/** Options that log a person in at /uaa/login/username. */
export const loginOf = (username: string): readonly string[] => [
  "-H",
  `authorization: ${basic("sec-web-company-admin")}`,
  "-d",
  `username=${username}&grant_type=password&password=${encodeURIComponent(DEMO_PASSWORD)}`,
];

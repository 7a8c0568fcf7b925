/** Rows for the lists that the demo leaves empty, made by the calls that people's work makes. */
import { randomUUID } from "node:crypto";
import { PASSWORD } from "./people.ts";
import { caller } from "./rest-caller.ts";
import { restLogin } from "./rest-login.ts";

const SUPPLIER = "/scm-supplier/api/sec";

const loggedError = () => ({
  key: randomUUID(),
  source: "page",
  message: "TypeError: x is undefined",
  stack: "at main.js:1",
  path: "/im/people",
  build: "1",
  count: 3,
  age: 60_000,
});

/**
 * Invitations, an SMS, an error of a console and a file.
 *
 * @param url of the server
 * @param company its id, as of the first one of the demo
 */
export async function addRows(url: string, company = "1"): Promise<void> {
  const { grant } = await restLogin(url, "admin", PASSWORD);
  const ask = caller(url, grant.access_token);
  const posts: readonly (readonly [string, object])[] = [
    [`${SUPPLIER}/inviteEmployee/qr`, { position: "夜班保安", uses: 5 }],
    [`${SUPPLIER}/inviteEmployee/mobile`, { mobiles: [`1390000111${company}`] }],
    ["/system/api/errorlog", { errors: [loggedError()] }],
  ];
  for (const [path, body] of posts) {
    const { status } = await ask("POST", path, body, company);
    if (status !== 200) throw new Error(`${path} was answered with ${status}`);
  }
  const form = new FormData();
  form.append("file", new Blob(["巡检"], { type: "text/plain" }), "巡检记录.txt");
  const headers = { authorization: `Bearer ${grant.access_token}`, "supplier-id": company };
  const { status } = await fetch(`${url}/common/upload`, { method: "POST", headers, body: form });
  if (status !== 200) throw new Error(`the upload was answered with ${status}`);
}

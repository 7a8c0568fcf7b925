/** REST calls of a test outside of any browser. */
import { PASSWORD } from "./people.ts";
import { restLogin } from "./rest-login.ts";

export interface Reply {
  readonly status: number;
  readonly data: unknown;
}
export type Ask = (
  method: string,
  path: string,
  json?: object,
  /** Id of the company. Left out: the first one. */
  company?: string,
) => Promise<Reply>;

/** Calls as this token's person. */
export const caller =
  (url: string, token: string): Ask =>
  async (method, path, json, company = "1") => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        "supplier-id": company,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const { data } = (await response.json()) as { data: unknown };
    return { status: response.status, data };
  };

/** Calls as a person of the demo data, who logs in for it. */
export async function callerOf(url: string, username: string): Promise<Ask> {
  const { grant } = await restLogin(url, username, PASSWORD);
  return caller(url, grant.access_token);
}

/** The rows of an answer that is a page. */
export const records = <T>({ data }: Reply): readonly T[] => (data as { records: T[] }).records;

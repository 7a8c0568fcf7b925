/** Helpers for batch imports: rows as chunks, invented people, and a way to send them. */
import { gzipSync } from "node:zlib";
import type { TestPlatform } from "../../platform.harness.ts";
import { idNumberCheckSign } from "../../../shared/domain/validate.ts";
import {
  type ImportChunk,
  type ImportChunkResult,
  type ImportJob,
  type RestCall,
  restCalls,
} from "../../../shared/protocol/rest/index.ts";

export type Row = Readonly<Record<string, string>>;

/**
 * Packs rows into columns with dictionaries.
 *
 * @param first row number in the file of the first row
 */
export function toChunk(rows: readonly Row[], fields: readonly string[], first = 2): ImportChunk {
  return {
    v: 1,
    rows: rows.map((_, i) => first + i),
    columns: fields.map((field) => {
      const at = new Map<string, number>();
      const idx = rows.map((row) => {
        const text = row[field] ?? "";
        if (text === "") return -1;
        const known = at.get(text) ?? at.size;
        at.set(text, known);
        return known;
      });
      return { field, dict: [...at.keys()], idx };
    }),
  };
}
export const pack = (chunk: unknown): Uint8Array<ArrayBuffer> =>
  new Uint8Array(gzipSync(JSON.stringify(chunk)));

/** A unique id card number for each n below 3.6 million. */
export function idNumberOf(n: number): string {
  const [serial, day, rest] = [n % 1000, Math.floor(n / 1000) % 28, Math.floor(n / 28_000)];
  const born = `${1960 + (Math.floor(rest / 12) % 10)}${String((rest % 12) + 1).padStart(2, "0")}${String(day + 1).padStart(2, "0")}`;
  const head = `340104${born}${String(serial).padStart(3, "0")}`;
  return head + idNumberCheckSign(head);
}

const SURNAMES = [..."赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜"];
const GIVEN = [..."伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀兰霞平刚桂英"];
const pick = (list: readonly string[], n: number): string => list[n % list.length] ?? "";

export const FIELDS = [
  "name",
  "employeeNo",
  "idNumber",
  "phone",
  "department",
  "position",
  "hireDate",
  "email",
  "emergencyContact",
  "emergencyPhone",
  "remark",
] as const;
/** Departments of the first demo company. */
const DEPARTMENTS = ["综合管理部", "安全管理部", "客户服务部", "信息技术部"];
/** The nth invented person. */
export const person = (n: number): Row => ({
  name: pick(SURNAMES, n) + pick(GIVEN, n) + pick(GIVEN, Math.floor(n / 25)),
  employeeNo: `G${String(n).padStart(7, "0")}`,
  idNumber: idNumberOf(n),
  phone: `138${String(n).padStart(8, "0")}`,
  department: pick(DEPARTMENTS, n),
  position: pick(["保安员", "保洁员", "电工", "工程师", "客服"], n),
  hireDate: `20${String(10 + (n % 15))}-03-0${1 + (n % 9)}`,
  email: `p${n}@example.com`,
  emergencyContact: pick(SURNAMES, n + 5) + pick(GIVEN, n),
  emergencyPhone: `139${String(n).padStart(8, "0")}`,
  remark: n % 10 === 0 ? `备注 ${n}` : "",
});
export const people = (count: number, from = 0): Row[] =>
  Array.from({ length: count }, (_, i) => person(from + i));

export const keyOf = (n: number): string => n.toString(16).padStart(64, "0");

export interface Sender {
  readonly platform: Pick<TestPlatform, "origin">;
  readonly token: string;
  readonly supplierId: string;
}
export interface Reply<D> {
  readonly status: number;
  readonly code: string;
  readonly data: D;
  readonly fields: Record<string, string>;
  readonly text: string;
}

export async function ask<D>(
  { platform, token, supplierId }: Sender,
  call: RestCall,
  params: Readonly<Record<string, string | number>> = {},
  body?: unknown,
  query = "",
): Promise<Reply<D>> {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
  const packed = body instanceof Uint8Array;
  const response = await fetch(platform.origin + path + query, {
    method: call.method,
    headers: {
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
      "supplier-id": supplierId,
      "content-type": packed ? "application/gzip" : "application/json",
    },
    ...(call.method === "GET"
      ? {}
      : { body: packed ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body ?? {}) }),
  });
  const text = await response.text();
  const envelope = JSON.parse(text) as {
    error?: string;
    data: D;
    details?: { fields?: Record<string, string> };
  };
  return {
    status: response.status,
    code: envelope.error ?? "",
    data: envelope.data,
    fields: envelope.details?.fields ?? {},
    text,
  };
}

export const createJob = (
  sender: Sender,
  key: string,
  rows: number,
  more: Record<string, unknown> = {},
): Promise<Reply<ImportJob>> =>
  ask(
    sender,
    restCalls.importCreate,
    {},
    {
      key,
      fileName: "员工.xlsx",
      mode: "insert",
      rows,
      chunks: 1,
      fields: FIELDS,
      ...more,
    },
  );
export const sendChunk = (
  sender: Sender,
  id: string,
  index: number,
  chunk: unknown,
): Promise<Reply<ImportChunkResult>> =>
  ask(
    sender,
    restCalls.importChunk,
    { id, index },
    chunk instanceof Uint8Array ? chunk : pack(chunk),
  );

/** Runs a job with one valid row, invited, and one refused row. */
export async function importSomething(sender: Sender): Promise<string> {
  const n = 900_000 + Number(sender.supplierId);
  const rows = [person(n), { ...person(n + 100), phone: "1" }];
  const made = await createJob(sender, keyOf(n), 2, { isInvite: true });
  await sendChunk(sender, made.data.id, 0, toChunk(rows, FIELDS));
  return made.data.id;
}

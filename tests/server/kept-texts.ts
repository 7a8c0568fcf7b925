/**
 * How each call that keeps texts is made with hostile ones, and where they are read afterwards. The places of the texts come from the
 * schemas (tests/support/free-texts.ts); a writer says the rest of a valid input.
 */
import { randomUUID } from "node:crypto";
import { USUAL_CALLS, usualBody } from "../support/usual-calls.ts";

export type Row = Readonly<Record<string, unknown>>;
export interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
/** Who makes a call. Default: the administrator in the first company. */
export interface By {
  readonly as?: string;
  readonly in?: string;
}
/** The platform under test. */
export interface World {
  /** @returns the data of the answer. @throws Error when the call is refused */
  ask(id: string, input?: CallInput, by?: By): Promise<unknown>;
  sql(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

export interface Writer {
  readonly by?: By;
  /** A valid input, for the write with this number. */
  input(n: number): CallInput | Promise<CallInput>;
  /** The row that is kept, read by the answer's data or by another call. */
  kept(data: unknown, input: CallInput, n: number): Row | undefined | Promise<Row | undefined>;
  /** Makes place for the next write. */
  after?(row: Row): unknown;
  /** Where the row has another name for the text, by place. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** The own field of employees in the second company, whose values are texts. */
export const OWN_FIELD = "hostile";

const rowOf = (data: unknown): Row => data as Row;
const recordsOf = (data: unknown): readonly Row[] =>
  (data as { readonly records: readonly Row[] }).records;
const idOf = (row: Row): string => String(row["id"]);
const inBody = (body: object): CallInput => ({ body });

/** Changes one record again and again. The row of the answer has its next version. */
function changing(
  make: () => Promise<unknown>,
  more: (row: Row) => CallInput = ({ id, version }) => inBody({ id, version }),
  by: By = {},
): Writer {
  let row: Row | null = null;
  return {
    by,
    async input() {
      row ??= rowOf(await make());
      return more(row);
    },
    kept(data) {
      row = rowOf(data);
      return row;
    },
  };
}

/** Reads the newest row of a list. */
const newest = async (
  { ask }: World,
  id: string,
  query: Readonly<Record<string, string>> = {},
  by: By = {},
): Promise<Row | undefined> =>
  recordsOf(await ask(id, { query: { limit: "1", ...query } }, by)).at(0);

const SECOND: By = { in: "2" };
const LINA: By = { as: "lina" };

const employeeUpdate =
  (name: string) =>
  ({ ask, sql }: World): Writer =>
    changing(
      async () => {
        // No two employees have one number.
        await sql("UPDATE employees SET employee_no = NULL");
        return ask("employees.create", inBody({ name }), SECOND);
      },
      ({ id, version }) => inBody({ id, version }),
      SECOND,
    );

const dimission = ({ sql }: World): Writer => ({
  by: SECOND,
  async input(n) {
    const [made] = await sql(
      "INSERT INTO employees (company_id, name) VALUES (2, $1) RETURNING id",
      [`离${n}`],
    );
    return inBody({ id: String(made?.["id"]) });
  },
  kept: rowOf,
  fields: { "body.reason": "dimissionReason" },
});

/** A number that no two employees in office have is free for the next one. */
const freeNumber =
  ({ sql }: World) =>
  (row: Row) =>
    sql("UPDATE employees SET employee_no = NULL WHERE id = $1", [idOf(row)]);

const departmentOf = (n: number) => ({ parentId: null, name: `部门${n}` });
const typeOf = (n: number) => ({ dictType: `hostile_${n}`, dictName: "字典", remark: "" });
const bulletinOf = () => ({
  noticeTitle: "公告",
  noticeType: "1",
  status: "1",
  noticeContent: "<p>好</p>",
});

const OWN_WRITERS: Readonly<Record<string, (world: World) => Writer>> = {
  "alerts.acknowledge": ({ sql }) => ({
    async input() {
      const [made] = await sql(
        `INSERT INTO alerts (key, company_id, rule, rule_name, level, kind, metric, subject_kind, subject, value, worst,
           limit_value, started_at)
         VALUES (gen_random_uuid(), 1, 'errors-jump', '', 'notice', 'change', 'errors.*', 'error', 'uncaught', 1, 1, 1, now())
         RETURNING id`,
      );
      return { params: { id: String(made?.["id"]) }, body: {} };
    },
    kept: (data) => rowOf(rowOf(data)["acknowledged"]),
  }),
  "alertSilences.create": ({ ask }) => ({
    async input() {
      // The latest time that the server's clock has named: the next run of a task.
      const tasks = recordsOf(await ask("tasks.list")).map((task) => String(task["nextTime"]));
      const until = tasks.toSorted().at(-1);
      return inBody({ rule: null, subject: "", until, reason: "维护" });
    },
    kept: rowOf,
  }),
  "bulletins.create": ({ ask }) => ({
    input: () => inBody(bulletinOf()),
    kept: async (data) =>
      rowOf(await ask("bulletins.get", { params: { noticeId: String(rowOf(data)["noticeId"]) } })),
  }),
  "bulletins.update": ({ ask }) =>
    changing(
      () => ask("bulletins.create", inBody(bulletinOf())),
      ({ noticeId, version }) => inBody({ noticeId, version }),
    ),
  "calls.report": (world) => ({
    by: LINA,
    input: (n) =>
      inBody({
        callId: `hostile${n}`,
        channel: "",
        type: 1,
        media: "voice",
        direction: "out",
        peer: "zhangwei",
        result: "cancelled",
        startedAt: 1_900_000_000_000 + n * 1000,
        answeredAt: null,
        endedAt: 1_900_000_000_500 + n * 1000,
      }),
    kept: () => newest(world, "calls.records", {}, LINA),
  }),
  "companies.lock": (world) => ({
    input: () => ({ params: { id: "2" }, body: { locked: true, reason: "原因" } }),
    kept: () => newest(world, "companies.list", { state: "locked" }),
    after: () => world.ask("companies.lock", { params: { id: "2" }, body: { locked: false } }),
    fields: { "body.reason": "lockReason" },
  }),
  "company.update": ({ ask }) =>
    changing(
      () => ask("company.get"),
      ({ version }) => inBody({ version }),
    ),
  "departments.create": ({ ask }) => ({
    input: (n) => inBody(departmentOf(n)),
    kept: async (data) =>
      (await (ask("departments.tree") as Promise<readonly Row[]>)).find(
        (row) => idOf(row) === idOf(rowOf(data)),
      ),
    after: (row) => ask("departments.delete", { params: { id: idOf(row) } }),
  }),
  "departments.update": ({ ask }) =>
    changing(() => ask("departments.create", inBody(departmentOf(9999)))),
  "dict.typeCreate": () => ({ input: (n) => inBody(typeOf(n)), kept: rowOf }),
  "dict.typeUpdate": ({ ask }) => changing(() => ask("dict.typeCreate", inBody(typeOf(9999)))),
  "documents.decide": ({ ask }) => {
    let row: Row | undefined;
    const read = async (): Promise<Row | undefined> =>
      recordsOf(
        await ask("documents.list", {
          body: {
            limit: "1000",
            ...(row === undefined ? {} : { employeeId: String(row["employeeId"]) }),
          },
        }),
      ).find((one) =>
        row === undefined
          ? one["createTime"] !== null && one["kindId"] !== null
          : one["id"] === row["id"],
      );
    return {
      async input() {
        row ??= await read();
        const { employeeId, kindId, createTime } = row ?? {};
        return inBody({ employeeId, kindId, seen: createTime, status: "refused", reason: "无" });
      },
      kept: read,
    };
  },
  "employees.create": (world) => ({
    by: SECOND,
    input: (n) => inBody({ name: `新${n}` }),
    kept: async (data) =>
      rowOf(await world.ask("employees.get", { params: { id: idOf(rowOf(data)) } }, SECOND)),
    after: freeNumber(world),
  }),
  "employees.createMany": (world) => ({
    by: SECOND,
    input: (n) => ({ body: [{ name: `批${n}` }] }),
    kept: async (data) => {
      const [id = ""] = (data as { readonly ids: readonly string[] }).ids;
      return rowOf(await world.ask("employees.get", { params: { id } }, SECOND));
    },
    after: freeNumber(world),
  }),
  "employees.decideApply": ({ ask, sql }) => ({
    by: SECOND,
    async input(n) {
      const [made] = await sql(
        `INSERT INTO membership_applies (company_id, name, phone, created_at)
         VALUES (2, $1, '13800000000', now()) RETURNING id`,
        [`申请${n}`],
      );
      return {
        params: { id: String(made?.["id"]) },
        body: { status: "refused", reason: "无" },
      };
    },
    kept: async (_, { params = {} }) =>
      recordsOf(await ask("employees.applies", { query: { limit: "1000" } }, SECOND)).find(
        (row) => row["id"] === params["id"],
      ),
    after: (row) => sql("DELETE FROM membership_applies WHERE id = $1", [idOf(row)]),
  }),
  "employees.dimission": dimission,
  "employees.dimissionOld": dimission,
  "employees.invite": (world) => ({
    by: SECOND,
    input: () => inBody({}),
    kept: () => newest(world, "invitations.list", {}, SECOND),
    after: (row) => world.sql("DELETE FROM invitations WHERE id = $1", [idOf(row)]),
  }),
  "employees.update": employeeUpdate("改甲"),
  "employees.updateV3": employeeUpdate("改乙"),
  "errors.report": (world) => ({
    input: () =>
      inBody({
        errors: [
          {
            source: "page",
            message: "错",
            stack: "",
            path: "/",
            build: "1",
            count: 1,
            key: randomUUID(),
            age: 0,
          },
        ],
      }),
    kept: () => newest(world, "errors.list"),
    after: () => world.sql("DELETE FROM client_errors"),
  }),
  "im.friendAdd": ({ ask, sql }) => {
    const pair = { userName: "lina", friendUserName: "zhangwei" };
    return {
      by: LINA,
      async input() {
        await sql("DELETE FROM im_friends");
        return inBody({ ...pair, reason: "" });
      },
      kept: async () =>
        ((await ask("im.friendRequests", {}, { as: "zhangwei" })) as readonly Row[]).find(
          ({ userName }) => userName === "lina",
        ),
      fields: { "body.reason": "message" },
    };
  },
  "im.groupCreate": ({ ask }) => ({
    input: (n) => inBody({ groupname: `群${n}`, desc: "" }),
    kept: rowOf,
    after: (row) => ask("im.groupDelete", { params: { id: idOf(row) } }),
    fields: { "body.groupname": "name" },
  }),
  "im.groupUpdate": ({ ask }) => ({
    ...changing(
      () => ask("im.groupCreate", inBody({ groupname: "群" })),
      (row) => ({ params: { id: idOf(row) }, body: {} }),
    ),
    fields: { "body.groupname": "name" },
  }),
  "imports.create": ({ ask }) => ({
    input: (n) =>
      inBody({
        key: n.toString(16).padStart(64, "a"),
        fileName: "员工.xlsx",
        mode: "insert",
        rows: 1,
        chunks: 1,
        fields: ["name"],
      }),
    kept: async (data) => rowOf(await ask("imports.get", { params: { id: idOf(rowOf(data)) } })),
    after: (row) => ask("imports.cancel", { params: { id: idOf(row) } }),
  }),
  "invitations.byMobile": (world) => ({
    by: SECOND,
    input: (n) => inBody({ mobiles: [`139${String(n).padStart(8, "0")}`] }),
    kept: () => newest(world, "invitations.list", {}, SECOND),
    after: (row) => world.sql("DELETE FROM invitations WHERE id = $1", [idOf(row)]),
  }),
  "preferences.set": ({ ask, sql }) => ({
    by: LINA,
    input: (n) => inBody({ key: `键${n}`, value: "值" }),
    kept: async () =>
      ((await ask("preferences.list", {}, LINA)) as { readonly preferences: readonly Row[] })
        .preferences[0],
    after: () => sql("DELETE FROM preferences"),
  }),
  "profile.update": ({ ask }) => ({
    by: LINA,
    input: () => inBody({}),
    kept: async () => rowOf(await ask("profile.get", {}, LINA)),
  }),
  "registration.decide": ({ sql }) => ({
    async input(n) {
      const [made] = await sql(
        `INSERT INTO supplier_applies
           (apply_account_id, company_id, company_name, contact, mobile, system_name, status, created_at)
         SELECT id, 2, $1, '无', '13800000000', 'sec-web-company-admin', 'pending', now()
         FROM accounts WHERE username = 'wangfang' RETURNING id`,
        [`申请${n}`],
      );
      return {
        params: { id: String(made?.["id"]) },
        body: { status: "refused", reason: "无" },
      };
    },
    kept: rowOf,
  }),
  "registration.resubmit": ({ ask, sql }) => {
    let id = "";
    return {
      by: { as: "admin", in: "2" },
      async input() {
        if (id === "") {
          const [made] = await sql(
            `INSERT INTO supplier_applies
               (apply_account_id, company_id, company_name, contact, mobile, system_name, status, created_at)
             SELECT id, 2, '旧名', '无', '13800000000', 'sec-web-company-admin', 'refused', now()
             FROM accounts WHERE username = 'admin' RETURNING id`,
          );
          id = String(made?.["id"]);
        }
        await sql("UPDATE supplier_applies SET status = 'refused' WHERE id = $1", [id]);
        return { params: { id }, body: { supplierName: "城南消防工程有限公司", contact: "无" } };
      },
      kept: async () =>
        recordsOf(await ask("registration.applies", { query: { limit: "100" } })).find(
          (row) => idOf(row) === id,
        ),
    };
  },
};

/** What every list of records with a version has. */
const USUAL_WRITERS = Object.fromEntries(
  USUAL_CALLS.flatMap((usual): [string, (world: World) => Writer][] => {
    const { create, update, remove, list, get } = usual;
    return [
      [
        create.id,
        ({ ask }) => ({
          input: (n) => inBody(usualBody(usual, n)),
          async kept(data) {
            const id = idOf(rowOf(data));
            if (get !== undefined) return rowOf(await ask(get.id, { params: { id } }));
            const rows = recordsOf(await ask(list.id, { query: { limit: "1000" } }));
            return rows.find((row) => idOf(row) === id);
          },
          after: (row) => ask(remove.id, { params: { id: idOf(row) } }),
        }),
      ],
      [update.id, ({ ask }) => changing(() => ask(create.id, inBody(usualBody(usual, 9999))))],
    ];
  }),
);

/** By the id of the call. */
export const WRITERS: Readonly<Record<string, (world: World) => Writer>> = {
  ...USUAL_WRITERS,
  ...OWN_WRITERS,
};

/** Calls that need more than one request for a text, and the test that tries them. */
export const TRIED_ELSEWHERE: Readonly<Record<string, string>> = {
  "employees.export": "the titles of an export are read in tests/server/hostile-exports.test.ts",
  "imports.chunk": "a job with a row for each text, in tests/server/hostile-fields.test.ts",
  "registration.create": "each needs a code by SMS, in tests/server/hostile-fields.test.ts",
};

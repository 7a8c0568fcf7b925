/** The commands that change a group (docs/chat.md#groups). The provider makes the changes; afterwards the list is read again. */
import { AppError } from "../../../../shared/errors.ts";
import type { Handlers } from "../../../../shared/protocol/core-rpc.ts";
import { groupUpdateCall, publicGroupsCall } from "../../../../shared/protocol/rest/im-groups.ts";
import { noticeFields } from "../../../../shared/domain/notice-texts.ts";
import type { CoreEnv, Http, Store } from "../../contracts.ts";
import { toGroupError } from "../provider/failures.ts";
import type { GroupFiles } from "./group-files.ts";
import type { GroupMirror } from "./group-mirror.ts";
import type { ChatConnection, GroupCalls } from "../provider/port.ts";

/** Public groups of a page. */
const PAGE = 20;
/** ms that a call may take: some of the SDK's promises never settle. */
const DEADLINE = 15_000;

export function createGroupCommands(deps: {
  readonly env: Pick<CoreEnv, "clock">;
  readonly http: Pick<Http, "call">;
  readonly store: Pick<Store, "get" | "notice">;
  readonly connection: () => ChatConnection | null;
  readonly mirror: GroupMirror;
  /** Own user name once the chat is there. @throws AppError */
  readonly self: () => Promise<string>;
  /** The display name; the user name while it is unknown. */
  readonly nameOf: (userName: string) => string;
  readonly onReaders: (groupId: string, mid: string, count: number) => void;
  /** Reads the lists again; resolves when they show the change. */
  readonly refresh: (groupId: string | null) => Promise<void>;
}): Omit<Handlers<"group">, "members" | "memberPage" | keyof GroupFiles["handlers"]> {
  const { env, http, mirror, refresh, store } = deps;

  const ask = async <T>(run: (groups: GroupCalls, me: string) => Promise<T>): Promise<T> => {
    const me = await deps.self();
    const connection = deps.connection();
    if (connection === null) throw new AppError("chat.not-connected");
    try {
      return await new Promise<T>((resolve, reject) => {
        const timer = env.clock.after(DEADLINE, () => reject(new AppError("network.timeout")));
        run(connection.groups, me)
          .then(resolve, reject)
          .finally(() => timer.cancel());
      });
    } catch (error) {
      throw toGroupError(error);
    }
  };
  /** Ends when the lists show the change. */
  const change = async (groupId: string, run: () => Promise<unknown>): Promise<null> => {
    try {
      await run();
    } finally {
      // also after a refusal: what the page showed was out of date
      await refresh(groupId);
    }
    return null;
  };
  const asked = (groupId: string, run: (groups: GroupCalls) => Promise<void>): Promise<null> =>
    change(groupId, () => ask(run));
  /** Enters a group: first at the provider, then at the backend. */
  const enter = async (run: (groups: GroupCalls, me: string) => Promise<void>): Promise<void> => {
    try {
      await ask(run);
    } catch (cause) {
      throw new AppError("chat.group-join-failed", { cause });
    }
  };

  return {
    async create({ name, description = "", members }) {
      const { supplierId } = store.get("session");
      const groupId = await ask((groups) =>
        groups.create({ name, description, members, supplierId }),
      );
      await refresh(null);
      return { groupId };
    },
    invite: ({ groupId, members }) => asked(groupId, (groups) => groups.invite(groupId, members)),
    remove: ({ groupId, userName }) =>
      asked(groupId, (groups) => groups.remove(groupId, [userName])),
    leave: ({ groupId }) => asked(groupId, (groups) => groups.leave(groupId)),
    dissolve: ({ groupId }) => asked(groupId, (groups) => groups.dissolve(groupId)),
    settings: ({ groupId, name, description, ...entry }) =>
      change(groupId, async () => {
        if (name !== undefined || description !== undefined) {
          await ask((groups) => groups.modify(groupId, { name, description }));
        }
        // The provider's SDK changes only the texts.
        const { allowInvites: allowinvites, inviteConfirm: inviteconfirm, ...same } = entry;
        const body = { ...same, allowinvites, inviteconfirm };
        if (Object.values(body).every((value) => value === undefined)) return;
        await http.call(groupUpdateCall, { params: { id: groupId }, body });
      }),
    announce: ({ groupId, text }) => asked(groupId, (groups) => groups.announce(groupId, text)),
    setAdmin: ({ groupId, userName, admin }) =>
      asked(groupId, (groups) => groups.setAdmin(groupId, userName, admin)),
    transfer: ({ groupId, userName }) =>
      asked(groupId, (groups) => groups.transfer(groupId, userName)),
    mute: ({ groupId, userName, ms }) =>
      asked(groupId, (groups) => groups.mute(groupId, userName, ms)),
    muteAll: ({ groupId, muted }) => asked(groupId, (groups) => groups.muteAll(groupId, muted)),
    allow: ({ groupId, userName, allowed }) =>
      asked(groupId, (groups) => groups.allow(groupId, userName, allowed)),
    answerInvitation: ({ groupId, accept }) =>
      change(groupId, async () => {
        if (!accept) {
          await ask((groups, me) => groups.answerInvitation(groupId, me, false));
          store.notice({ style: "success", ...noticeFields("group.rejected") });
          return;
        }
        await enter((groups, me) => groups.answerInvitation(groupId, me, true));
        await mirror.save(await deps.self(), groupId);
      }),
    join: ({ groupId, message }) =>
      change(groupId, () => enter((groups) => groups.join(groupId, message))),
    answerApplication: ({ groupId, userName, accept }) =>
      asked(groupId, (groups) => groups.answerApplication(groupId, userName, accept)),
    setCard: ({ groupId, card }) =>
      change(groupId, () => ask((groups, me) => groups.setCard(groupId, me, card))),
    block: ({ groupId, userName, blocked }) =>
      asked(groupId, (groups) => groups.block(groupId, userName, blocked)),
    async blocked({ groupId }) {
      const names = await ask((groups) => groups.blocked(groupId));
      return names.map((userName) => ({ userName, name: deps.nameOf(userName) }));
    },
    async readers({ groupId, mid }) {
      const names = await ask((groups) => groups.readers(groupId, mid));
      deps.onReaders(groupId, mid, names.length);
      return names.map((userName) => ({ userName, name: deps.nameOf(userName) }));
    },
    async find({ keyword, cursor }) {
      const page = await http.call(publicGroupsCall, { query: { keyword, cursor, limit: PAGE } });
      return { groups: page.records, total: page.total };
    },
  };
}

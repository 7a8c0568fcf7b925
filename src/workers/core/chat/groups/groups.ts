/**
 * The groups of this person (docs/chat.md#groups): their list in the chat slice, and the commands that change them. The provider
 * makes the changes; the server's list says what came of them.
 */
import { isSafeKey } from "../../../../shared/domain/chat.ts";
import { groupChatId, groupIdOf, GROUP_READERS_MAX } from "../../../../shared/domain/group-chat.ts";
import type { Handlers } from "../../../../shared/protocol/core-rpc.ts";
import { type GroupRequest } from "../../../../shared/protocol/group-model.ts";
import {
  type GroupMember,
  type Group,
  groupRequestsCall,
  groupsCall,
  groupUsersCall,
} from "../../../../shared/protocol/rest/im-groups.ts";
import type { ChatGroup } from "../../../../shared/protocol/state.ts";
import type { CoreEnv, Http, Store } from "../../contracts.ts";
import type { ReadGroupFile } from "../../downloads/sources.ts";
import { createRereading } from "../people/rereading.ts";
import type { Conversations } from "../conversations/conversations.ts";
import { createGroupCommands } from "./group-commands.ts";
import { createGroupFiles } from "./group-files.ts";
import { createGroupMirror } from "./group-mirror.ts";
import { groupNotice } from "./group-news.ts";
import type { Names } from "../people/names.ts";
import type { ChatConnection, GroupNews } from "../provider/port.ts";

const PAGE = 200;
/** Requests that are shown. */
const REQUESTS = 100;

/** A group as the tabs know it. */
const shownGroup = (group: Group, revision: number): ChatGroup => ({
  id: group.id,
  name: group.name,
  owner: group.admin,
  members: group.memberCount,
  description: group.desc,
  announcement: group.announcement,
  public: group.public,
  approval: group.membersonly,
  allowInvites: group.allowinvites,
  inviteConfirm: group.inviteconfirm,
  muted: group.muted,
  role: group.role,
  mutedUntil: group.mutedUntil,
  allowed: group.allowed,
  joinedAt: group.joinedAt,
  revision,
});

export interface ChatGroups {
  readonly handlers: Handlers<"group">;
  readonly readFile: ReadGroupFile;
  /** The connection is open: the list may have changed meanwhile. */
  opened(): void;
  heard(news: GroupNews): void;
  /** Whether the members are asked to say that they have read a message: not in groups so large that receipts would be a burden. */
  asksReaders(chatId: string): boolean;
  /** A message came from this group: its sender's name is shown. */
  wrote(groupId: string, from: string): void;
  /** The name of a group; null while unknown. */
  nameOf(groupId: string): string | null;
  /** A name became known. */
  named(userName: string, name: string): void;
  clear(): void;
}

const shownMember = (member: GroupMember) => ({
  userName: member.userName,
  name: member.name,
  avatar: member.avatar,
  owner: member.owner,
  card: member.card,
  role: member.role,
  mutedUntil: member.mutedUntil,
  allowed: member.allowed,
});

export function createChatGroups(deps: {
  readonly env: Pick<CoreEnv, "clock" | "kv" | "online" | "random" | "log">;
  readonly http: Pick<Http, "call">;
  readonly store: Pick<Store, "get" | "set" | "del" | "notice">;
  readonly connection: () => ChatConnection | null;
  readonly conversations: Pick<Conversations, "get" | "ensure" | "readBy">;
  readonly names: Pick<Names, "nameOf" | "shown" | "learn" | "lookUp" | "find">;
  /** Own user name once the chat is there. @throws AppError */
  readonly self: () => Promise<string>;
}): ChatGroups {
  const { env, store } = deps;
  const revisions = new Map<string, number>();
  /** People of groups. Only their names go to the tabs: everyone's would be many. */
  const shown = new Set<string>();

  const showName = (userName: string, name: string): void => {
    if (isSafeKey(userName)) store.set(["chat", "names", userName], name);
  };
  const showPerson = (userName: string): void => {
    if (shown.has(userName)) return;
    shown.add(userName);
    const name = deps.names.nameOf(userName);
    if (name === null) deps.names.lookUp(userName);
    else showName(userName, name);
  };

  const readAll = async (): Promise<Group[]> => {
    const found: Group[] = [];
    for (let cursor = 1; ; cursor += 1) {
      const page = await deps.http.call(groupsCall, {
        query: { cursor, limit: PAGE, searchCount: false, descParameter: "id" },
      });
      found.push(...page.records);
      if (page.records.length < PAGE) return found;
    }
  };
  const show = (groups: readonly Group[], requests: GroupRequest[]): void => {
    deps.connection()?.knowGroups(groups.map(({ id }) => id));
    store.set(
      ["chat", "groups"],
      Object.fromEntries(
        groups.map((group) => [group.id, shownGroup(group, revisions.get(group.id) ?? 0)]),
      ),
    );
    if (JSON.stringify(requests) !== JSON.stringify(store.get("chat").groupRequests)) {
      store.set(["chat", "groupRequests"], requests);
    }
    deps.names.learn(requests);
    for (const { id, name } of groups) {
      const chatId = groupChatId(id);
      if (deps.conversations.get(chatId) !== undefined) deps.conversations.ensure(chatId, name);
    }
  };
  const readOnce = async (isForgotten: () => boolean): Promise<void> => {
    const [groups, requests] = await Promise.all([
      readAll(),
      deps.http.call(groupRequestsCall, { query: { limit: REQUESTS, searchCount: false } }),
    ]);
    if (isForgotten()) return;
    show(groups, requests.records);
  };
  const rereading = createRereading({
    env,
    what: "groups",
    read: readOnce,
  });
  const { refresh } = rereading;
  const revise = (groupId: string): void => {
    revisions.set(groupId, (revisions.get(groupId) ?? 0) + 1);
  };

  /** Ends when the lists show the change. */
  const afterwards = (groupId: string | null): Promise<void> => {
    if (groupId !== null) revise(groupId);
    return refresh();
  };
  const mirror = createGroupMirror({ env, http: deps.http, onSaved: () => void refresh() });
  const nameOf = (userName: string): string => {
    showPerson(userName);
    return deps.names.nameOf(userName) ?? userName;
  };
  const files = createGroupFiles({
    env,
    store,
    connection: deps.connection,
    self: deps.self,
    nameOf,
    onChanged: (groupId) => void afterwards(groupId),
  });
  /** Names that events brought, for events of the same group that bring none. */
  const heard = new Map<string, string>();
  /** Also of a group of which this person is no member; null where nothing names it. */
  const knownName = (groupId: string): string | null => {
    const { groups, groupRequests } = store.get("chat");
    const asked = groupRequests.find((request) => request.groupId === groupId);
    const talked = deps.conversations.get(groupChatId(groupId))?.name ?? "";
    const isName = talked !== "" && talked !== groupChatId(groupId);
    return (
      groups[groupId]?.name ?? asked?.groupName ?? (isName ? talked : (heard.get(groupId) ?? null))
    );
  };
  let generation = 0;
  const notifyOfNews = (news: GroupNews): void => {
    const { groupId, from } = news;
    if (from === store.get("session").chatUserName) return;
    if (news.name !== "") heard.set(groupId, news.name);
    const notify = (): void => {
      const group = knownName(groupId) ?? groupId;
      const words = groupNotice(news, { group, person: deps.names.shown(from) ?? from });
      if (words !== null) store.notice(words);
    };
    if (deps.names.shown(from) !== null || from === "") return notify();
    // Events that a person missed come right after the login, before any list has named people.
    const ownGeneration = generation;
    void deps.names.find(from).then(() => {
      if (ownGeneration === generation) notify();
    });
  };

  return {
    handlers: {
      ...createGroupCommands({
        env,
        http: deps.http,
        store,
        connection: deps.connection,
        mirror,
        self: deps.self,
        nameOf,
        refresh: afterwards,
        onReaders: (groupId, mid, count) =>
          deps.conversations.readBy(groupChatId(groupId), mid, count),
      }),
      ...files.handlers,
      async members({ groupId }) {
        const found = [];
        for (let cursor = 1; ; cursor += 1) {
          const page = await deps.http.call(groupUsersCall, {
            query: { groupId, cursor, limit: PAGE, searchCount: false, descParameter: "id" },
          });
          found.push(...page.records);
          if (page.records.length < PAGE) break;
        }
        deps.names.learn(found);
        for (const { userName } of found) showPerson(userName);
        return found.map(shownMember);
      },
      async memberPage({ groupId, keyword, cursor }) {
        const { records, total } = await deps.http.call(groupUsersCall, {
          query: { groupId, keyword, cursor, limit: PAGE, searchCount: true, descParameter: "id" },
        });
        deps.names.learn(records);
        return { members: records.map(shownMember), total };
      },
    },
    opened() {
      void refresh();
      void deps.self().then(mirror.mend, () => undefined);
    },
    heard(news) {
      notifyOfNews(news);
      revise(news.groupId);
      void refresh();
    },
    readFile: files.read,
    asksReaders(chatId) {
      const groupId = groupIdOf(chatId);
      const group = groupId === null ? undefined : store.get("chat").groups[groupId];
      return group !== undefined && group.members <= GROUP_READERS_MAX;
    },
    wrote(groupId, from) {
      showPerson(from);
      const group = store.get("chat").groups[groupId];
      // the event that names a new group may come after its first message
      if (group === undefined) return void refresh();
      const chatId = groupChatId(groupId);
      // the conversation keeps the name when this person leaves the group
      if (deps.conversations.get(chatId) !== undefined) {
        deps.conversations.ensure(chatId, group.name);
      }
    },
    nameOf: (groupId) => store.get("chat").groups[groupId]?.name ?? null,
    named(userName, name) {
      if (shown.has(userName)) showName(userName, name);
    },
    clear() {
      rereading.forget();
      mirror.clear();
      files.clear();
      shown.clear();
      revisions.clear();
      heard.clear();
      generation += 1;
    },
  };
}

/**
 * The groups of the chat: every act on one goes through here, whether the provider's SDK or the console's own calls ask for it
 * (docs/chat.md#groups).
 */
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import {
  type Group,
  type Member,
  readBlocked,
  readGroup,
  readGroupsOf,
  readJoined,
  readMembers,
  readPublicGroups,
  readRoster,
  type Roster,
} from "./facts.ts";
import { createGroupAcks, type GroupAcks } from "./acks.ts";
import type { ChatFiles } from "../files/chat-files.ts";
import { createDepartures, type Departures } from "./departures.ts";
import { createMembership } from "./membership.ts";
import { createGroupLists } from "./lists.ts";
import { createGroupRequests } from "./requests.ts";
import { createSharedFiles, type SharedFiles } from "./shared-files.ts";
import { createGroupSettings } from "./settings.ts";
import { createStage, type SceneDeps } from "./scene.ts";

export type { Actor } from "./events.ts";
export type { Group, Member } from "./facts.ts";

export interface GroupReads {
  /** The group with its members; null when it is not there. */
  load(groupId: string): Promise<{ group: Group; members: Member[] } | null>;
  /** As `load`, with this person's membership alone. A large group costs no more than a small one. */
  standing(
    groupId: string,
    userName: string,
  ): Promise<{ group: Group; me: Member | undefined } | null>;
  /** The names of the members; null when the group is not there. */
  roster(groupId: string): Promise<Roster | null>;
  /** The groups of which the person is a member, the newest first. */
  groupsOf(userName: string): Promise<Group[]>;
  /** The keys of the groups of which the person is a member, with the time of joining in ms since the epoch. */
  joined(userName: string): Promise<Map<string, number>>;
  /** Names of the people who may not enter the group. */
  blocked(groupId: string): Promise<string[]>;
  /** A page of the public groups of the person's companies, the oldest first. */
  open(userName: string, after: string, limit: number): Promise<Group[]>;
}
export type Groups = GroupReads &
  GroupAcks &
  Departures &
  ReturnType<typeof createMembership> &
  ReturnType<typeof createGroupLists> &
  ReturnType<typeof createGroupRequests> &
  ReturnType<typeof createGroupSettings> & { readonly files: SharedFiles };

export function createGroups(
  deps: SceneDeps & { readonly now: () => number; readonly files: Pick<ChatFiles, "store"> },
): Groups {
  const db: NodePgDatabase = deps.db;
  const stage = createStage(deps);
  return {
    ...createMembership({ db, stage, now: deps.now }),
    ...createGroupAcks({ db, now: deps.now }),
    ...createDepartures({ db, stage }),
    ...createGroupLists({ stage }),
    ...createGroupRequests({ stage, now: deps.now }),
    ...createGroupSettings({ stage, now: deps.now }),
    files: createSharedFiles({ db, stage, files: deps.files, now: deps.now }),
    async load(groupId) {
      const group = await readGroup(db, groupId);
      return group === null ? null : { group, members: await readMembers(db, groupId) };
    },
    async standing(groupId, userName) {
      const [group, [me]] = await Promise.all([
        readGroup(db, groupId),
        readMembers(db, groupId, userName),
      ]);
      return group === null ? null : { group, me };
    },
    roster: (groupId) => readRoster(db, groupId),
    groupsOf: (userName) => readGroupsOf(db, userName),
    joined: (userName) => readJoined(db, userName),
    blocked: async (groupId) =>
      (await readBlocked(db, groupId)).map(({ chatUserName }) => chatUserName),
    open: (userName, after, limit) => readPublicGroups(db, userName, after, limit),
  };
}

/** The part of the npm package easemob-emedia that the tests use. The package has no types. */

interface SdkMember {
  readonly id: string;
  readonly memName: string;
}
interface SdkStream {
  readonly id: string;
  readonly type: 0 | 1 | 2;
  readonly voff: 0 | 1;
  readonly aoff: 0 | 1;
  located(): boolean;
}
interface SdkConference {
  readonly confrId: string;
  readonly role?: number;
  readonly isCreator?: boolean;
}
interface SdkApplicant {
  readonly memberId: string;
}
interface SdkService {
  readonly current: { readonly _session: { readonly closed?: boolean } };
  getHTMLVideo?: (streamId: string) => HTMLVideoElement | null;
  postMessage(
    memberId: string,
    message: { text: string },
    fail: (event: { message(): string }) => void,
    answered: (answer: { result: number }) => void,
  ): void;
  capturePictureRemote(
    streamId: string,
    wantsPicture: boolean,
    success: (picture?: string) => void,
    fail: (event: { message(): string }) => void,
  ): void;
}
/** A stream of one's own that is not published yet. */
interface SdkOwnStream {
  readonly id?: string;
}
/** What the manager is built on: a membership by ticket, without its rules. */
interface SdkMembership {
  readonly AVPubstream: new (options: {
    voff: 0 | 1;
    aoff: 0 | 1;
    constaints: MediaStreamConstraints;
  }) => SdkOwnStream;
  setup(ticket: unknown, ext: object): void;
  openUserMedia(stream: SdkOwnStream): {
    then(opened: () => void, failed: (event: unknown) => void): void;
  };
  withpublish(stream: SdkOwnStream): {
    join(
      joined: (memberId: string, stream: SdkStream) => void,
      failed: (event: { message(): string }) => void,
    ): void;
  };
  exit(): void;
}
interface SdkManager {
  onMemberJoined: (member: SdkMember) => void;
  onMemberExited: (member: SdkMember, reason: number) => void;
  onStreamAdded: (member: SdkMember, stream: SdkStream) => void;
  onStreamRemoved: (member: SdkMember, stream: SdkStream) => void;
  onStreamUpdated: (member: SdkMember, stream: SdkStream) => void;
  onRoleChanged: (role: number) => void;
  onConferenceExit: (reason: number, failed?: number) => void;
  onConfrAttrsUpdated: (attributes: { key: string; val: string; op: string }[]) => void;
  onAdminChanged: (event: unknown) => void;
  onMuteAll: () => void;
  onUnMuteAll: () => void;
  onMuted: () => void;
  onUnmuted: () => void;
  onPubVideoTooMuch: () => void;
  onPubDesktopTooMuch: () => void;
  onRequestToTalker: SdkRequested;
  onRequestToAdmin: SdkRequested;
  onRequestToTalkerReply: (result: number) => void;
  onRequestToAdminReply: (result: number) => void;
  _onRecvRemoteMessage: (from: SdkMember | string, message: string | { text: string }) => void;
  readonly _services: Record<string, SdkService>;
  setIdentity(name: string, token: string): void;
  createConference(config: Record<string, unknown>): Promise<SdkConference>;
  joinConference(confrId: string, password: string, ext: unknown): Promise<SdkConference>;
  getConferenceTkt(confrId: string, password: string): Promise<{ readonly ticket: unknown }>;
  joinConferenceWithTicket(confrId: string, ticket: unknown, ext: unknown): Promise<SdkConference>;
  joinRoom(options: Record<string, unknown>): Promise<SdkConference>;
  publish(
    constraints: { audio: unknown; video: unknown },
    video?: HTMLVideoElement,
    ext?: unknown,
  ): Promise<SdkStream>;
  shareDesktopWithAudio(options: Record<string, unknown>): Promise<SdkStream | undefined>;
  subscribe(
    member: SdkMember,
    stream: SdkStream,
    video: boolean,
    audio: boolean,
    tag?: HTMLVideoElement,
  ): Promise<unknown>;
  unsubscribe(stream: SdkStream): void;
  hungup(stream: string): void;
  pauseVideo(stream: string): Promise<unknown>;
  resumeVideo(stream: string): Promise<unknown>;
  pauseAudio(stream: string): Promise<unknown>;
  resumeAudio(stream: string): Promise<unknown>;
  changeCamera(confrId: string): Promise<unknown>;
  grantRole(conference: { id: string }, members: string[], role: number): Promise<unknown>;
  degradeRole(confrId: string, members: string[], role: number): Promise<unknown>;
  kickMembersById(conference: { id: string }, members: string[]): Promise<unknown>;
  muteAll(confrId: string): Promise<unknown>;
  unmuteAll(confrId: string): Promise<unknown>;
  muteBymemberId(confrId: string, memberId: string): void;
  unmuteBymemberId(confrId: string, memberId: string): void;
  requestToTalker(confrId: string): void;
  requestToAdmin(confrId: string): void;
  setConferenceAttrs(options: Record<string, unknown>): void;
  deleteConferenceAttrs(options: Record<string, unknown>): void;
  exitConference(closes?: boolean): void;
  destroyConference(conference: string): Promise<unknown>;
}
type SdkRequested = (applicant: SdkApplicant, agree: SdkAnswer, refuse: SdkAnswer) => void;
type SdkAnswer = (memberId: string) => unknown;

declare var emedia: {
  config(options: Record<string, unknown>): void;
  readonly mgr: SdkManager;
  readonly XService: new (options: { listeners: { mgr: SdkManager } }) => SdkMembership;
};

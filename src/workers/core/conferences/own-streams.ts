/** The ids of the own streams. The record keeps them, so that the streams are published again under the same ids. */
import { STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import { type OwnType, pubKey } from "./connection.ts";
import type { ConferenceRecord } from "./kept.ts";

const TYPES: readonly OwnType[] = [STREAM_TYPE.camera, STREAM_TYPE.screen];

export interface OwnStreams {
  /** null when no stream of the type was published. */
  idOf(type: OwnType): string | null;
  /** null when the stream is not an own one. */
  typeOf(streamId: string): OwnType | null;
  /** The id of the stream that a connection carries; "" for an own stream without an id. */
  streamOf(key: string): string;
  remember(type: OwnType, streamId: string): void;
  forget(type: OwnType): void;
}

export function createOwnStreams(record: ConferenceRecord): OwnStreams {
  const idOf = (type: OwnType): string | null => record.now?.streams[String(type)] ?? null;
  return {
    idOf,
    typeOf: (streamId) => TYPES.find((type) => idOf(type) === streamId) ?? null,
    streamOf(key) {
      const own = TYPES.find((type) => pubKey(type) === key);
      return own === undefined ? key : (idOf(own) ?? "");
    },
    remember(type, streamId) {
      record.patch({ streams: { ...record.now?.streams, [String(type)]: streamId } });
    },
    forget(type) {
      const { [String(type)]: gone, ...streams } = record.now?.streams ?? {};
      if (gone !== undefined) record.patch({ streams });
    },
  };
}

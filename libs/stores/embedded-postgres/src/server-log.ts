import { constants } from 'node:fs';
import { copyFile, open, rename, stat, truncate, type FileHandle } from 'node:fs/promises';
import { lastLines } from './initialise.ts';

const MAX_LOG_BYTES = 8 * 1024 * 1024;
const CHECK_EVERY_MS = 60_000;

/**
 * The file to which the server writes its messages directly: with a pipe, it would wait for this process. At most about twice
 * {@link MAX_LOG_BYTES} are kept, the older half as `….1`.
 */
export interface ServerLog {
  readonly fd: number;
  /** The last lines since this start. */
  tail(): Promise<string>;
  close(): Promise<void>;
}

export async function openServerLog(path: string): Promise<ServerLog> {
  const former = await stat(path).catch(() => null);
  if (former !== null && former.size > MAX_LOG_BYTES) await rename(path, `${path}.1`);
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600);
  const start = (await file.stat()).size;
  const timer = setInterval(
    () => void rotateWhenLarge(path, MAX_LOG_BYTES).catch(() => undefined),
    CHECK_EVERY_MS,
  ).unref();
  return {
    fd: file.fd,
    tail: () => readTail(file, start),
    close: () => {
      clearInterval(timer);
      return file.close();
    },
  };
}

/** Copies and truncates the file: the server keeps its descriptor and appends at the new end. */
export async function rotateWhenLarge(path: string, maxBytes: number): Promise<void> {
  if ((await stat(path)).size <= maxBytes) return;
  await copyFile(path, `${path}.1`);
  await truncate(path, 0);
}

async function readTail(file: FileHandle, start: number): Promise<string> {
  const { size } = await file.stat();
  const from = Math.max(size < start ? 0 : start, size - 16_384);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16_384), 0, 16_384, from);
  return lastLines(buffer.toString('utf8', 0, bytesRead));
}

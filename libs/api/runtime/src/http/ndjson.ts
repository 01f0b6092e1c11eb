/** The media type of a body with one JSON value per line. */
export const NDJSON = 'application/x-ndjson';

/** Bytes of the longest line that the service accepts, without its newline. */
export const LONGEST_LINE = 64 * 1024;

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** The bytes without a byte order mark. */
export const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === BYTE_ORDER_MARK[0] && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? bytes.subarray(BYTE_ORDER_MARK.length)
    : bytes;

/** Whether a line contains only white space. */
export const isBlank = (line: Buffer): boolean => line.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));

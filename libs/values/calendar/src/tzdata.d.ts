declare module 'tzdata/tzdata.js' {
  const tzdata: {
    /** Release of the IANA database, e.g. `2025c`. */
    readonly version: string;
    /** By zone or link name; a link's value is the name of its zone. */
    readonly zones: Readonly<Record<string, unknown>>;
  };
  export default tzdata;
}

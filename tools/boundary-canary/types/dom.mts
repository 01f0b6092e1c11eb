// breaks: TS2304
export const answer = fetch('http://localhost');

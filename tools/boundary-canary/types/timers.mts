// breaks: TS2304
setTimeout(() => undefined, 1);

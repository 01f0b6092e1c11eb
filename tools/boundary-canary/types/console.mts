// breaks: TS2584
console.log('reached');

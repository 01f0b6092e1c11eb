// as: libs/api/console/src/canary.ts
// breaks: no-restricted-imports: runs in browsers
import '@nestjs/common';

// as: libs/domain/points/src/canary.ts
// breaks: no-restricted-imports: kafkajs stays behind its port
import 'kafkajs';

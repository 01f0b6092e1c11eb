import { runChainService } from '@laurel/distributed';
import { ChainController } from './chain-controller.ts';

void runChainService([ChainController]);

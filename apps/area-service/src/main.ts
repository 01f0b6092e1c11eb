import { runChainService } from '@laurel/distributed';

void runChainService();

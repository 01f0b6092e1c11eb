export { placesOfUser, type PlacesDependencies } from './places-of-user.ts';

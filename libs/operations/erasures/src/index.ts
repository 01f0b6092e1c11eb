export { placesOfUser, type PlacesParts } from './places-of-user.ts';

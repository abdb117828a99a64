"""Users, profiles and preferences."""
